import { Form, href } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { Note } from "#app/ui/pieces.tsx";
import type { Banner } from "../announcement.schema.ts";
import { AnnouncementText } from "./announcement-text.tsx";

/** An announcement on the home page of its reader, until it ends or the reader closes it. */
export function AnnouncementBanner({ banner, className = "mb-3" }: { banner: Banner | undefined; className?: string }) {
  if (!banner) return null;
  return (
    <Note icon="bell" className={className}>
      <AnnouncementText {...banner} />
      <Form method="post" action={href("/announcements/:id/dismiss", { id: banner.id })}>
        <Button type="submit" variant="quiet" size="sm" className="pl-0">
          {m.announce_dismiss()}
        </Button>
      </Form>
    </Note>
  );
}
