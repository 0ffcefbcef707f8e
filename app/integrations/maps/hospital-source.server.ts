/** A service that knows hospitals on a map. */
export type MapHospital = { name: string; address: string; phone: string | null; latitude: number; longitude: number };

export interface HospitalSource {
  /**
   * Hospitals around a point, up to 10 km away.
   * @param limit milliseconds for all of it.
   * @throws DomainError("unavailable")
   */
  near(point: { latitude: number; longitude: number }, limit: number): Promise<MapHospital[]>;
}
