import type { FoodTime, MedicineForm, MedicineRoute } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

const FORMS: Record<MedicineForm, () => string> = {
  tablet: () => m.rx_form_tablet(),
  capsule: () => m.rx_form_capsule(),
  syrup: () => m.rx_form_syrup(),
  liquid: () => m.rx_form_liquid(),
  drops: () => m.rx_form_drops(),
  inhaler: () => m.rx_form_inhaler(),
  injection: () => m.rx_form_injection(),
  insulin: () => m.rx_form_insulin(),
  cream: () => m.rx_form_cream(),
  ointment: () => m.rx_form_ointment(),
  powder: () => m.rx_form_powder(),
  sachet: () => m.rx_form_sachet(),
  other: () => m.rx_form_other(),
};
const ROUTES: Record<MedicineRoute, () => string> = {
  mouth: () => m.rx_route_mouth(),
  tongue: () => m.rx_route_tongue(),
  skin: () => m.rx_route_skin(),
  inhaled: () => m.rx_route_inhaled(),
  injection: () => m.rx_route_injection(),
  eye: () => m.rx_route_eye(),
  ear: () => m.rx_route_ear(),
  nose: () => m.rx_route_nose(),
  other: () => m.rx_form_other(),
};
const FOODS: Record<FoodTime, () => string> = {
  after: () => m.rx_food_after(),
  before: () => m.rx_food_before(),
  any: () => m.rx_food_any(),
};
export const formWord = (form: MedicineForm): string => FORMS[form]();
/** Returns strength and form of a medicine: "500 mg tablet". A form that was not chosen is left out. */
export const strengthAndForm = ({ strength, form }: { strength: string | null; form: MedicineForm }): string =>
  [strength, form !== "other" && formWord(form).toLowerCase()].filter(Boolean).join(" ");
export const routeWord = (route: MedicineRoute): string => ROUTES[route]();
export const foodWord = (food: FoodTime): string => FOODS[food]();
