/** Finding in a long list: one field, one button, the rest of the address kept. */
import { Form } from "react-router";
import { Button, LinkButton } from "./button.tsx";
import { Icon } from "./icon.tsx";

/**
 * A search that is a GET form. `keep`: what else the address says (the tab); a new search begins at the first page.
 * `clear` leads back to everything while something is searched for.
 */
export function Finder({
  action,
  label,
  placeholder,
  text,
  button,
  keep = {},
  clear,
}: {
  action: string;
  label: string;
  placeholder?: string;
  text: string;
  button: string;
  keep?: Record<string, string>;
  clear: { to: string; label: string };
}) {
  return (
    <Form action={action} role="search" className="finder" key={text}>
      {Object.entries(keep).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="search">
        <label className="vh" htmlFor="q">
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
