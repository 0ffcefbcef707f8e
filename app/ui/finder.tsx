/** Search in a long list. */
import { Form } from "react-router";
import { Button, LinkButton } from "./button.tsx";
import { Icon } from "./icon.tsx";

/**
 * A search as a GET form. `preserve`: other query parameters (the tab); a new search starts at the first page. `clear`: URL of the
 * list without a search.
 */
export function Finder({
  action,
  label,
  placeholder,
  text,
  button,
  preserve = {},
  clear,
}: {
  action: string;
  label: string;
  placeholder?: string;
  text: string;
  button: string;
  preserve?: Record<string, string>;
  clear: { to: string; label: string };
}) {
  return (
    <Form action={action} role="search" className="my-4 flex flex-wrap gap-2" key={text}>
      {Object.entries(preserve).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="search grow basis-64">
        <label className="sr-only" htmlFor="q">
          {label}
        </label>
        <Icon name="search" />
        <input className="input" id="q" name="q" type="search" defaultValue={text} placeholder={placeholder} maxLength={100} />
      </div>
      <Button type="submit" variant="second">
        {button}
      </Button>
      {text && (
        <LinkButton to={clear.to} variant="quiet">
          {clear.label}
        </LinkButton>
      )}
    </Form>
  );
}
