/** "2.4", "34" */
export const kmWord = (km: number) => (km < 10 ? km.toFixed(1) : String(Math.round(km)));
