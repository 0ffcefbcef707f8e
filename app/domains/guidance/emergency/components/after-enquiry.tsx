import { Link } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { Note } from "#app/ui/pieces.tsx";

/** Shows why an enquiry led to SOS, and links its doctors for when it is no emergency. `kind`: their specialty. */
export function AfterEnquiry({ path, kind }: { path: string; kind: string | null }) {
  return (
    <Note tone="bad" role="status" className="mb-3">
      <p>
        <b>{m.enquiry_emergency()}</b>
      </p>
      <p>
        {m.enquiry_no_emergency()} <Link to={path}>{kind ? m.patients_category_doctors({ category: kind }) : m.doctors_all()}</Link>
      </p>
    </Note>
  );
}
