import type { ReactNode } from "react";
import { href } from "react-router";
import type { Category } from "#app/domains/directory/specialties.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { Leafy } from "#app/ui/pieces.tsx";

/** Links with large icons, as many in a row as fit. */
export const tileRow =
  "grid grid-cols-[repeat(auto-fill,minmax(4.5em,1fr))] gap-2 max-[22rem]:grid-cols-[repeat(auto-fill,minmax(3.9em,1fr))] max-[22rem]:gap-1";

export const Tile = ({ to, icon, children }: { to: string; icon: IconName; children: ReactNode }) => (
  <AnyLink
    className="flex flex-col items-center gap-1.5 rounded-md py-2.5 text-center text-sm leading-control font-medium text-ink no-underline hover:bg-well [&_svg]:size-7 [&_svg]:stroke-[1.6] max-[22rem]:text-[0.8125rem]"
    to={to}
    data-tile
    {...(to.startsWith("https:") && { target: "_blank", rel: "noreferrer" })}
  >
    <Leafy icon={icon} />
    {children}
  </AnyLink>
);

const TILES: Record<Category, { icon: IconName; word: () => string }> = {
  Dentistry: { icon: "tooth", word: () => m.doctors_category_dentistry() },
  Cardiology: { icon: "heart-pulse", word: () => m.doctors_category_cardiology() },
  Pulmonary: { icon: "lungs", word: () => m.doctors_category_pulmonary() },
  General: { icon: "stethoscope", word: () => m.doctors_category_general() },
  Neurology: { icon: "brain", word: () => m.doctors_category_neurology() },
  Gastroen: { icon: "stomach", word: () => m.doctors_category_gastroen() },
  Laboratory: { icon: "test-tube", word: () => m.doctors_category_laboratory() },
  Vaccination: { icon: "syringe", word: () => m.doctors_category_vaccination() },
};

export const categoryWord = (category: Category) => TILES[category].word();

export const CategoryTile = ({ category, to }: { category: Category; to: string }) => (
  <Tile to={to} icon={TILES[category].icon}>
    {categoryWord(category)}
  </Tile>
);

/** Link to the choice of the city, in the top bar. */
export const City = ({ name, label }: { name: string; label: string }) => (
  <AnyLink
    className="city flex min-h-12 min-w-min items-center gap-2 leading-[1.15] text-ink no-underline max-[24rem]:gap-1"
    to={href("/location")}
  >
    <Icon name="map-pin" small className="max-[24rem]:hidden" />
    <span className="*:block">
      <small className="text-ink-soft">{label}</small> <b>{name}</b>
    </span>
    <Icon name="chevron-down" small />
  </AnyLink>
);
