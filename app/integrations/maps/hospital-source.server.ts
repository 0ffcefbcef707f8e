/** A hospital found by a map service. */
export type MapHospital = { name: string; address: string; phone: string | null; latitude: number; longitude: number };

export interface HospitalSource {
  /**
   * Finds hospitals within 10 km of a point.
   * @param limit milliseconds for all requests
   * @throws DomainError("unavailable")
   */
  near(point: { latitude: number; longitude: number }, limit: number): Promise<MapHospital[]>;
}
