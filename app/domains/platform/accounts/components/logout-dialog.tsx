import { href } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { Dialog, DialogClose } from "#app/ui/dialog.tsx";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";

/** The id of the dialog, for the link to /logout that opens it. */
export const LOGOUT_DIALOG = "log-out";

/** The confirmation of the page /logout as a dialog. */
export function LogoutDialog() {
  const [form] = useNadiForm({ id: "logout" });
  return (
    <Dialog id={LOGOUT_DIALOG} title={m.accounts_logout_title()}>
      <p>{m.accounts_logout_question()}</p>
      <Form form={form} action={href("/logout")} className="mt-4 grid gap-2.5">
        <SubmitButton variant="danger" full>
          {m.ui_yes()}
        </SubmitButton>
        <DialogClose dialog={LOGOUT_DIALOG}>{m.accounts_logout_no()}</DialogClose>
      </Form>
    </Dialog>
  );
}
