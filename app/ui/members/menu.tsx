import { AnyLink } from "../button.tsx";
import { dialogOpener } from "../dialog.tsx";
import { Icon, type IconName } from "../icon.tsx";

/** A list of links with icons. `dialog`: opens this dialog instead, with JavaScript. `busy`: text while loading. */
export function Menu({
  label,
  items,
}: {
  label: string;
  items: { to: string; label: string; icon: IconName; dialog?: string; busy?: string | false }[];
}) {
  return (
    <nav className="mt-7 rounded-lg border border-line bg-card" aria-label={label} data-menu>
      {items.map((item) => (
        <AnyLink
          key={item.to}
          className="flex min-h-14 items-center gap-[min(0.875rem,3.5vw)] px-[min(1rem,4vw)] py-2 font-medium text-ink no-underline not-first:border-t not-first:border-line hover:bg-well"
          to={item.to}
          {...(item.dialog ? { id: dialogOpener(item.dialog), "data-dialog": item.dialog } : {})}
        >
          {/* In large text the words have the room. */}
          <Icon name={item.icon} className="size-[min(1.5rem,6.2vw)] text-brand" />
          <span className="grow">{item.label}</span>
          {item.busy && (
            <span className="text-sm text-ink-soft" role="status">
              {item.busy}
            </span>
          )}
          <Icon name="chevron-right" small className="size-[min(1.125rem,4.6vw)]" />
        </AnyLink>
      ))}
    </nav>
  );
}
