/** Doctors and hospitals within this distance of the chosen place are near. */
export const NEAR_KM = 50;

/** True for a card whose place is known and near. */
export const isNear = ({ distanceKm }: { distanceKm: number | null }): boolean => distanceKm !== null && distanceKm <= NEAR_KM;
