import { href } from "react-router";
import { z } from "zod";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { photoPath } from "#app/domains/directory/doctors/photo.ts";
import { hasOnlinePayments } from "#app/domains/money/checks/queries.server.ts";
import { AnnouncementBanner } from "#app/domains/oversight/announcements/components/announcement-banner.tsx";
import { findBanner } from "#app/domains/oversight/announcements/queries.server.ts";
import { MemberBadge } from "#app/domains/places/members/components/member-badge.tsx";
import { hasPermission, type Permission } from "#app/domains/places/members/permissions.ts";
import { getPlace } from "#app/domains/places/members/queries.server.ts";
import { setReasonsAtDesk } from "#app/domains/places/members/set-reasons.server.ts";
import { memberRoleWord, placeDoctorWord } from "#app/domains/places/members/words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import type { IconName } from "#app/ui/icon.tsx";
import { Badge, Disc, Facts, SectionHead } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import { TwoColumns } from "#app/ui/staff/two-columns.tsx";
import type { Route } from "./+types/place.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const { askable, ...shown } = await getPlace(ctx, params.id);
  // The home of members without an agenda.
  const banner = hasPermission(shown.role, "see-agenda") ? null : await findBanner(ctx);
  return {
    ...shown,
    ...(banner && { banner }),
    askable: askable.length,
    handlesMoney: hasPermission(shown.role, "take-payment"),
    online: hasOnlinePayments(ctx),
    userId: ctx.actor.userId,
  };
});

const ReasonsSchema = z.object({ reasons: z.enum(["show", "hide"]) });

export const action = submitOwn(ReasonsSchema, async (ctx, { reasons }, { params }: Route.ActionArgs) => {
  await setReasonsAtDesk(ctx, { hospitalId: params.id, show: reasons === "show" });
  return redirectTo(href("/clinic/:id", { id: params.id }));
});

type Data = Route.ComponentProps["loaderData"];

type PlacePage = { may: boolean; to: string; icon: IconName; text: string };
/** The pages of a place that the member may open. */
function pagesOf({ place: { id }, role, managesStaff, managesDoctors, handlesMoney, online }: Data): PlacePage[] {
  const may = (permission: Permission) => hasPermission(role, permission);
  const pages: PlacePage[] = [
    { may: handlesMoney, to: href("/clinic/:id/takings", { id }), icon: "indian-rupee", text: m.money_payments() },
    { may: managesDoctors, to: href("/clinic/:id/refund-policy", { id }), icon: "refresh-cw", text: m.refunds_policy() },
    { may: managesStaff && online, to: href("/clinic/:id/payout-account", { id }), icon: "wallet", text: m.payout_title() },
    { may: may("run-queue"), to: href("/clinic/:id/screen", { id }), icon: "list-ordered", text: m.tv_page() },
    { may: may("add-results"), to: href("/clinic/:id/results", { id }), icon: "file-text", text: m.result_title() },
    { may: may("see-figures"), to: href("/clinic/:id/figures", { id }), icon: "chart-column", text: m.figures_title() },
    { may: may("move-data"), to: href("/clinic/:id/import", { id }), icon: "upload", text: m.import_link() },
    { may: managesStaff, to: href("/clinic/:id/web", { id }), icon: "house", text: m.door_page() },
    { may: managesStaff, to: href("/clinic/:id/webhooks", { id }), icon: "send", text: m.hooks_page() },
  ];
  return pages.filter((page) => page.may);
}

export default function Place({ loaderData }: Route.ComponentProps) {
  const { place, role, banner, managesStaff, managesDoctors } = loaderData;
  return (
    <Page wide title={place.name} back={{ to: href("/clinic") }}>
      <AnnouncementBanner banner={banner} />
      <p className="row flex-wrap mb-3">
        <Badge tone="info">{memberRoleWord(role)}</Badge>
        {hasPermission(role, "see-agenda") && (
          <LinkButton to={`${href("/desk")}?place=${place.id}`} variant="second" size="sm" icon="calendar-days">
            {m.desk_show()}
          </LinkButton>
        )}
      </p>
      <nav className="row flex-wrap" aria-label={m.clinic_pages()}>
        {pagesOf(loaderData).map(({ to, icon, text }) => (
          <LinkButton key={to} to={to} variant="second" size="sm" icon={icon}>
            {text}
          </LinkButton>
        ))}
      </nav>
      <TwoColumns className="mt-4">
        <div>
          {managesStaff && <Staff {...loaderData} />}
          <Doctors {...loaderData} />
        </div>
        <div>
          <section className="card mt-7" aria-labelledby="h-facts">
            <h2 id="h-facts">{m.clinic_profile()}</h2>
            <Facts
              items={[
                [m.admin_hospital_address(), [place.address, place.area].filter(Boolean).join(", ")],
                [m.admin_hospital_city(), [place.city, place.state, place.pinCode].filter(Boolean).join(", ")],
                [m.admin_hospital_phone(), place.phone && formatPhone(place.phone)],
                [m.admin_hospital_email(), place.email],
                [m.admin_hospital_hours(), place.workingHours],
              ]}
            />
            {managesDoctors && <p className="text-sm text-ink-soft mt-2">{m.clinic_profile_change()}</p>}
          </section>
          {managesStaff && <Reasons shown={place.reasonsAtDesk} />}
          <p className="mt-7">
            <LinkButton to={href("/clinic/:id/leave", { id: place.id })} variant="quiet" full>
              {m.clinic_leave()}
            </LinkButton>
          </p>
        </div>
      </TwoColumns>
    </Page>
  );
}

/** Whether the desk shows the reasons of appointments. */
function Reasons({ shown }: { shown: boolean }) {
  const [form] = useNadiForm({ id: "reasons" });
  return (
    <section className="card mt-7" aria-labelledby="h-reasons">
      <h2 id="h-reasons">{m.desk_reasons()}</h2>
      <p className="text-ink-soft mb-3">{shown ? m.desk_reasons_shown() : m.desk_reasons_hidden()}</p>
      <Form form={form}>
        <SubmitButton name="reasons" value={shown ? "hide" : "show"} variant="second" full>
          {shown ? m.desk_reasons_hide() : m.desk_reasons_show()}
        </SubmitButton>
      </Form>
    </section>
  );
}

function Staff({ place, members, userId }: Data) {
  return (
    <section className="card mt-7" aria-labelledby="h-staff">
      <SectionHead>
        <h2 id="h-staff">{m.clinic_staff()}</h2>
      </SectionHead>
      {members.length > 1 ? null : <p className="text-sm text-ink-soft">{m.clinic_staff_none()}</p>}
      <DividedList>
        {members.map((member) => (
          <li key={member.id} className="row flex-wrap">
            <div className="grow">
              {member.userId === userId ? (
                <p>{m.clinic_you({ name: member.name || member.email || "" })}</p>
              ) : (
                <AnyLink to={href("/clinic/:id/staff/:memberId", { id: place.id, memberId: member.id })}>
                  {member.name || member.email}
                </AnyLink>
              )}
              <p className="text-sm text-ink-soft">
                {memberRoleWord(member.role)}
                {member.name && member.email ? ` · ${member.email}` : ""}
              </p>
            </div>
            {member.state !== "active" && <MemberBadge state={member.state} />}
          </li>
        ))}
      </DividedList>
      <LinkButton to={href("/clinic/:id/invite", { id: place.id })} full className="mt-2">
        {m.clinic_invite()}
      </LinkButton>
    </section>
  );
}

function Doctors({ place, doctors, managesDoctors, askable }: Data) {
  return (
    <section className="card mt-7" aria-labelledby="h-doctors">
      <h2 id="h-doctors">{m.clinic_doctors()}</h2>
      {doctors.length === 0 && (
        <p className="text-sm text-ink-soft">{managesDoctors ? m.clinic_doctors_none() : m.clinic_doctors_none_member()}</p>
      )}
      <DividedList>
        {doctors.map((doctor) => (
          <li key={doctor.id} className="row flex-wrap">
            <Disc id={doctor.id} name={doctor.name} photo={photoPath(doctor.photo)} size="sm" />
            <div className="grow">
              {doctor.listed ? <AnyLink to={href("/details/doctor/:id", { id: doctor.id })}>{doctor.name}</AnyLink> : <p>{doctor.name}</p>}
              <p className="text-sm text-ink-soft">{doctor.specialization && specialtyWord(doctor.specialization)}</p>
            </div>
            {doctor.state !== "active" && <Badge tone="warn">{placeDoctorWord(doctor.state)}</Badge>}
          </li>
        ))}
      </DividedList>
      {managesDoctors && (
        <LinkButton to={href("/clinic/:id/doctors", { id: place.id })} variant="second" full className="mt-2">
          {askable || doctors.some(({ state }) => state === "asked") ? m.clinic_doctors_open() : m.clinic_doctors_manage()}
        </LinkButton>
      )}
    </section>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: m.ui_title({ page: loaderData?.place.name ?? m.clinic_title() }) }];
