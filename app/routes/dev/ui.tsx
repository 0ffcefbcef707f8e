import type { ReactNode } from "react";
import { href } from "react-router";
import { load } from "#app/http/load.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { env } from "#app/runtime/env.server.ts";
import { Button, IconButton, LinkButton, SubmitButton } from "#app/ui/button.tsx";
import { Dialog, DialogClose, dialogOpener } from "#app/ui/dialog.tsx";
import { Finder } from "#app/ui/finder.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { type Drawing, Illustration } from "#app/ui/illustration.tsx";
import { Beat, Logo } from "#app/ui/logo.tsx";
import { DateLeaf } from "#app/ui/members/date-leaf.tsx";
import { Menu } from "#app/ui/members/menu.tsx";
import { Skeleton } from "#app/ui/members/skeleton.tsx";
import { Chips, Steps } from "#app/ui/nav.tsx";
import { Badge, Card, Disc, Facts, GoLink, Leafy, Meta, MetaLine, Note, Stars } from "#app/ui/pieces.tsx";
import { Page, SosLink } from "#app/ui/shell.tsx";
import { StatList, StatTile } from "#app/ui/staff/stat-list.tsx";
import { DataTable, Scroll } from "#app/ui/staff/table.tsx";
import { ConfirmCard, Countdown, EmptyState, LoadMore, Pagination, Seconds } from "#app/ui/states.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { showToast } from "#app/ui/toast.tsx";
import type { Route } from "./+types/ui.ts";
import { Calendar, Fields, LONG, refused } from "./form-samples.tsx";

/** Every component of app/ui in every state, for developers. Its texts are samples and not in the catalogue. */
export const loader = load(() => {
  if (!env().demo) throw new DomainError("not-found");
  return null;
});

export const meta: Route.MetaFunction = () => [{ title: "Primitives · Nadi" }, { name: "robots", content: "noindex" }];

const idOf = (part: string) => part.toLowerCase().replace(" ", "-");
const TONES = ["ok", "warn", "bad", "info"] as const;
const HERE = href("/dev/ui");

export default function UiPage() {
  return (
    <Page title="Primitives" back={{ to: "/" }} actions={<SosLink />} wide className="space-y-4">
      <p className="text-ink-soft">Components of all pages. Tokens: app/styles/tokens.css. Usage: app/ui/README.md.</p>
      <Chips label="Parts" chips={PARTS.map(([part]) => ({ to: `#${idOf(part)}`, label: part, current: false }))} />
      {PARTS.map(([part, Show]) => (
        <section key={part} className="mt-7 space-y-4" id={idOf(part)} aria-labelledby={`h-${idOf(part)}`}>
          <h2 id={`h-${idOf(part)}`}>{part}</h2>
          <Show />
        </section>
      ))}
    </Page>
  );
}

const PARTS: [name: string, show: () => ReactNode][] = [
  ["Buttons", Buttons],
  ["Pieces", Pieces],
  ["Forms", () => <Fields id="plain" />],
  ["Refused form", () => <Fields id="refused" lastResult={refused} />],
  ["Ways", Ways],
  ["Calendar", Calendar],
  ["States", States],
  ["Drawings", Drawings],
];

function Drawings() {
  return (
    <>
      <div className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">
        {(["care", "find", "time", "records", "help"] satisfies Drawing[]).map((name) => (
          <Card key={name} as="figure">
            <Illustration name={name} className="max-w-68" />
            <figcaption className="text-sm text-ink-soft">{name}</figcaption>
          </Card>
        ))}
      </div>
      <p className="row flex-wrap mt-2">
        <Logo /> <Logo mark />
      </p>
      <Beat />
    </>
  );
}

const Row = ({ children }: { children: ReactNode }) => <div className="row flex-wrap">{children}</div>;

function Buttons() {
  return (
    <>
      <Row>
        <Button>Book</Button>
        <Button variant="second">Reschedule</Button>
        <Button variant="quiet">Not now</Button>
        <Button variant="danger">Cancel visit</Button>
        <Button variant="sos" icon="siren">
          Call 108
        </Button>
      </Row>
      <Row>
        <Button size="sm">Small</Button>
        <Button>Usual</Button>
        <Button size="lg" iconEnd="arrow-right">
          Large
        </Button>
        <Button pill icon="locate" variant="second">
          Pill
        </Button>
        <Button disabled>Disabled</Button>
        <SubmitButton pending pendingText="Booking appointment...">
          Book
        </SubmitButton>
        <LinkButton to={HERE} variant="second" icon="arrow-left">
          A link
        </LinkButton>
      </Row>
      <Button full size="lg">
        As wide as its place
      </Button>
      <Row>
        <IconButton icon="heart" label="Add to favourites" />
        <IconButton icon="heart" label="Remove from favourites" on />
        <IconButton icon="bell" label="Notifications, 2 new" dot to={HERE} />
        <SosLink />
      </Row>
      <Row>
        <Button variant="second" onClick={() => showToast({ type: "success", message: "Appointment accepted successfully!" })}>
          A toast
        </Button>
        <Button variant="second" onClick={() => showToast({ type: "error", message: "Failed to accept appointment" })}>
          A toast of bad news
        </Button>
      </Row>
    </>
  );
}

function Pieces() {
  return (
    <>
      <Badges />
      {TONES.map((tone) => (
        <Note key={tone} tone={tone}>
          A message in the page, of the tone “{tone}”.
        </Note>
      ))}
      <Cards />
      <StatList>
        <StatTile icon="calendar-days" label="Today's Appointments" value="12" hint="4 seen, 8 to come" />
        <StatTile icon="indian-rupee" label="This month" value={"₹\u00a01,24,500"} />
        <StatTile label="Patients" value="0" hint="None yet" />
      </StatList>
      <Scroll label="A table that may be wider than the screen">
        <DataTable>
          <thead>
            <tr>
              <th>Patient</th>
              <th>Time</th>
              <th className="text-right">Fee</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <td>Asha Devi</td>
              <td>10:30 AM</td>
              <td className="text-right">₹ 700</td>
            </tr>
          </tbody>
        </DataTable>
      </Scroll>
    </>
  );
}

const Badges = () => (
  <Row>
    <Badge>Plain</Badge>{" "}
    <Badge tone="ok" icon="circle-check">
      Accepted
    </Badge>{" "}
    <Badge tone="warn" icon="hourglass">
      Pending
    </Badge>{" "}
    <Badge tone="bad" icon="circle-x">
      Cancelled
    </Badge>{" "}
    <Badge tone="info" icon="info">
      Completed
    </Badge>
  </Row>
);

const Cards = () => (
  <div className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">
    <Card kind="doc">
      <div className="row items-start">
        <Disc id="b" name="Dr. Lakshmi Narayana" />
        <div className="grow">
          <h3>
            <GoLink to={HERE}>Dr. Lakshmi Narayana</GoLink>
          </h3>
          <p className="text-sm text-ink-soft">Cardiologist, 14 years</p>
          <MetaLine>
            <Meta icon="map-pin">Benz Circle, Vijayawada</Meta>
            <Meta icon="clock">Today, 10:30 AM</Meta>
          </MetaLine>
          <Stars rating={4.6}>212 reviews</Stars>
        </div>
      </div>
    </Card>
    <Card kind="hos">
      <div className="row items-start">
        <Leafy icon="hospital" />
        <h3 className="grow">{LONG}</h3>
      </div>
    </Card>
    <Card>
      <div className="row">
        <DateLeaf date="2026-11-22" />
        <Facts
          className="grow"
          items={[
            ["Doctor", "Dr. Lakshmi Narayana"],
            ["When", "10:30 AM"],
            ["Fee", "₹ 700"],
          ]}
        />
      </div>
    </Card>
    <Card>
      <Row>
        {["a", "b", "c", "d"].map((id) => (
          <Disc key={id} id={id} name={`${id} Rao`} />
        ))}
        <Disc id="sm" name="శ్రీ లక్ష్మి" size="sm" />
        <Disc id="lg" name="" size="lg" />
      </Row>
    </Card>
  </div>
);

function Ways() {
  return (
    <>
      <Tabs
        label="Tabs"
        tabs={[
          { to: HERE, label: "Upcoming", count: 3, current: true },
          { to: `${HERE}?tab=2`, label: "Completed", count: 0, current: false },
          { to: `${HERE}?tab=3`, label: "Cancelled", current: false },
        ]}
      />
      <Chips
        label="Chips"
        chips={["All", "Cardiologist", "Dentist", "Eye", "Bone and joint", "Child"].map((label, i) => ({
          to: `${HERE}?chip=${i}`,
          label,
          current: i === 1,
        }))}
      />
      <Steps label="Steps" steps={["Date & Time", "Patient Detail", "Payment"]} current={1} />
      <Finder
        action={HERE}
        label="Search"
        placeholder="Name, specialty, area"
        text="heart"
        button="Search"
        clear={{ to: HERE, label: "Show all" }}
      />
      <Menu
        label="A menu"
        items={[
          { to: HERE, label: "Settings", icon: "settings" },
          { to: `${HERE}?help`, label: "Help, on its way", icon: "headset", busy: "Opening..." },
        ]}
      />
      <LinkButton variant="second" to="#sample" id={dialogOpener("sample")}>
        A dialog
      </LinkButton>
      <Dialog id="sample" title="Cancel this visit?">
        <p>It opens with and without scripts.</p>
        <DialogClose dialog="sample">No, go back</DialogClose>
      </Dialog>
      <LoadMore to={`${HERE}?show=8`} label="Load More" caption="Showing 4 of 12 doctors" />
      <Pagination
        label="Pages"
        previous={{ to: HERE, label: "Earlier" }}
        next={{ to: `${HERE}?page=3`, label: "More" }}
        caption="Page 2 of 9"
      />
    </>
  );
}

function States() {
  return (
    <>
      <div className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">
        <EmptyState drawing="time" title="No Appointments" action={<LinkButton to={HERE}>Find a doctor</LinkButton>}>
          Your bookings are shown here.
        </EmptyState>
        <Skeleton label="Loading appointments..." />
      </div>
      <ConfirmCard
        icon="calendar-x"
        title="Cancel this visit?"
        text="Dr. Lakshmi Narayana, 22 Nov, 10:30 AM"
        actions={
          <>
            <LinkButton variant="quiet" to={HERE}>
              No, go back
            </LinkButton>
            <Button variant="danger">Yes, cancel visit</Button>
          </>
        }
      />
      <Countdown left={30} className="row">
        <Icon name="clock" /> <Seconds left={30} /> <Button className="animate-after">Resend OTP</Button>
      </Countdown>
    </>
  );
}
