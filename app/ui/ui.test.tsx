import { parseWithZod } from "@conform-to/zod/v4";
import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { AnyLink, LinkButton } from "./button.tsx";
import { type CalendarDay, CalendarGrid, SlotPicker } from "./calendar.tsx";
import { Dialog, DialogClose, dialogOpener } from "./dialog.tsx";
import { DocumentContext, type DocumentFacts } from "./document.tsx";
import { errorTextOf } from "./error-page.tsx";
import { Form, OtpField, PasswordField, PhoneField, RadioPicks, TextField, useNadiForm } from "./form.tsx";
import { Icon, IconSprite } from "./icon.tsx";
import { iconPaths } from "./icon-paths.ts";
import { renderSprite } from "./icon-sprite.server.ts";
import { Disc, Facts, initialsOf, tintOf } from "./pieces.tsx";
import { Countdown, Seconds } from "./states.tsx";

/** Renders an element to HTML at `path`. */
function html(element: ReactElement, path = "/"): string {
  const Stub = createRoutesStub([{ path: "*", Component: () => element }]);
  return renderToString(<Stub initialEntries={[path]} />);
}

describe("initials and tint", () => {
  it.each([
    ["Dr. Anjali Vemuri", "AV"],
    ["Dr. Fathima Begum Shaik", "FS"],
    ["Prof. Dr. Rao", "R"],
    ["lakshmi", "L"],
    ["Drishti Kapoor", "DK"],
    ["  ", ""],
    ["అంజలి వేమూరి", "అంవే"],
  ])("%s gives %s", (name, initials) => expect(initialsOf(name)).toBe(initials));

  it("always gives the same id the same tint, and uses all four", () => {
    expect(tintOf("doc_1")).toBe(tintOf("doc_1"));
    expect(new Set(Array.from({ length: 40 }, (_, i) => tintOf(`doc_${i}`))).size).toBe(4);
  });

  it("shows an icon without a name", () => expect(html(<Disc id="1" name="" />)).toContain("#i-user-round"));
});

describe("icons", () => {
  it("writes each used icon once, after every use", () => {
    const facts = { nonce: null, lite: true, sheet: null, sprite: renderSprite } as unknown as DocumentFacts;
    const page = html(
      <DocumentContext value={facts}>
        <IconSprite>
          <Icon name="bell" />
          <Icon name="bell" />
          <Icon name="heart" />
        </IconSprite>
      </DocumentContext>,
    );
    expect(page.match(/<symbol/g)).toHaveLength(2);
    expect(page.indexOf('<symbol id="i-bell"')).toBeGreaterThan(page.lastIndexOf("<use"));
  });

  it("contain drawings only, no scripts or links", () => {
    for (const inner of Object.values(iconPaths))
      expect(inner).toMatch(/^(<(path|circle|rect|line|ellipse)( [a-z-]*[a-z0-9]*="[^"<>&]*")+\/>)+$/);
  });
});

describe("links", () => {
  it("leaves fragments and other schemes to the browser", () => {
    expect(html(<AnyLink to="#sos">x</AnyLink>, "/a")).toContain('href="#sos"');
    expect(html(<LinkButton to="tel:108">x</LinkButton>)).toContain('href="tel:108"');
  });
});

describe("dialog", () => {
  const page = html(
    <>
      <LinkButton to="#d" id={dialogOpener("d")}>
        Open
      </LinkButton>
      <Dialog id="d" title="Title">
        <DialogClose dialog="d">Cancel</DialogClose>
      </Dialog>
    </>,
  );
  it("opens by its fragment and links back to its opener", () => {
    expect(page).toMatch(/<a href="#d" id="d-open"/);
    expect(page).toMatch(/<dialog id="d"[^>]*>/);
    expect(page).toMatch(/<a href="#d-open"[^>]*>Cancel/);
  });
  it("is closed at first, labelled by its title and focusable", () => {
    expect(page).not.toMatch(/<dialog[^>]* open/);
    expect(page).toMatch(/<dialog[^>]*aria-labelledby="d-title"[^>]*tabindex="-1"/i);
  });
});

describe("forms", () => {
  const Schema = z.object({
    name: z.string({ error: () => "Please enter a name." }),
    phone: z.string({ error: () => "Please enter a phone number." }),
    gender: z.string({ error: () => "Please choose." }),
    otp: z.string({ error: () => "Please enter the code." }),
    password: z.string({ error: () => "Please enter a password." }),
  });
  type Input = z.infer<typeof Schema>;

  function TestForm({ sent }: { sent?: Record<string, string> }) {
    const body = new FormData();
    for (const [name, value] of Object.entries(sent ?? {})) body.append(name, value);
    const lastResult = sent
      ? parseWithZod(body, { schema: Schema }).reply({ hideFields: ["password"], formErrors: ["Nothing was saved."] })
      : undefined;
    const [form, fields] = useNadiForm<Input>({ id: "f", lastResult });
    return (
      <Form form={form}>
        <TextField field={fields.name} label="Name" hint="As on your documents" />
        <PhoneField field={fields.phone} label="Phone" />
        <RadioPicks field={fields.gender} label="Gender" options={[{ value: "female", label: "Female" }]} />
        <OtpField field={fields.otp} label="Code" />
        <PasswordField field={fields.password} label="Password" />
      </Form>
    );
  }

  it("posts without browser validation, and shows no errors before it is sent", () => {
    const page = html(<TestForm />);
    expect(page).toMatch(/<form [^>]*method="post"/);
    expect(page).toMatch(/<form [^>]*novalidate/i);
    expect(page).not.toMatch(/role="alert"|aria-invalid|class="err /);
    expect(page, "what the content security policy would refuse").not.toMatch(/<(script|style)\b| on[a-z]+="/);
  });

  it("lists the labels of fields that share an error, or whose error does not name them", () => {
    const general = () => "Fill all required fields";
    const Required = z.object({
      name: z.string({ error: general }),
      age: z.string({ error: general }),
      phone: z.string({ error: () => "Enter ten digits." }).regex(/^\d{10}$/, { error: () => "Enter ten digits." }),
      city: z.string({ error: () => "Choose a city." }),
    });
    function Shown({ sent }: { sent: Record<string, string> }) {
      const body = new FormData();
      for (const [name, value] of Object.entries(sent)) body.append(name, value);
      const [form, fields] = useNadiForm<z.infer<typeof Required>>({
        id: "f",
        lastResult: parseWithZod(body, { schema: Required }).reply(),
      });
      return (
        <Form form={form}>
          <div>
            <TextField field={fields.name} label="Name" />
            {[<TextField key="age" field={fields.age} label="Age" />]}
          </div>
          <PhoneField field={fields.phone} label="Phone" />
          <TextField field={fields.city} label="City" />
        </Form>
      );
    }
    const summaryOf = (sent: Record<string, string>) => {
      const page = html(<Shown sent={sent} />);
      return page.slice(page.indexOf('role="alert"'), page.indexOf('<div class="field"'));
    };
    const several = summaryOf({ phone: "12" });
    expect(several).toContain(
      '<p>Fill all required fields</p><ul class="row flex-wrap"><li><a href="#f-name">Name</a></li><li><a href="#f-age">Age</a>',
    );
    expect(several).toContain('<a href="#f-phone">Phone: Enter ten digits.</a>');
    expect(several).toContain('<a href="#f-city">Choose a city.</a>');
    expect(several).toContain("Please fill in all required fields correctly");
    const one = summaryOf({ name: "Ravi", phone: "9876543210", city: "Guntur" });
    expect(one).toContain('<p><b>Fill all required fields</b></p><ul class="row flex-wrap"><li><a href="#f-age">Age</a></li></ul>');
    expect(one).not.toContain("Please fill in all required fields correctly");
  });

  it("links label, hint and error to the field and preserves the input", () => {
    const page = html(<TestForm sent={{ name: "Ravi <b>", gender: "female", otp: "12" }} />);
    expect(page).toMatch(/<label class="label" for="f-phone"/);
    expect(page).toMatch(/<input[^>]*aria-invalid="true"[^>]*aria-describedby="f-phone-error"[^>]*id="f-phone"/);
    expect(page).toMatch(/<p class="err [^"]*" id="f-phone-error">.*Please enter a phone number\./);
    expect(page).toMatch(/<input[^>]*aria-describedby="f-name-description"[^>]*value="Ravi &lt;b&gt;"/);
    expect(page).toMatch(/<input type="radio"[^>]*checked=""[^>]*value="female"|<input type="radio"[^>]*value="female"[^>]*checked=""/);
    expect(page).toMatch(/class="otp"><input[^>]*value="12"/);
  });

  it("lists each error once at the top, with a link to its field", () => {
    const page = html(<TestForm sent={{ name: "Ravi" }} />);
    const summary = page.slice(page.indexOf('role="alert"'), page.indexOf('<div class="field"'));
    expect(summary).toContain("Nothing was saved.");
    expect(summary).toContain('<a href="#f-phone">Please enter a phone number.</a>');
    expect(summary).not.toContain("#f-name");
  });

  it("never sends a password back, and offers to show it only with JavaScript", () => {
    const page = html(<TestForm sent={{ password: "demo1234" }} />);
    expect(page).not.toContain("demo1234");
    expect(page).toMatch(/<input[^>]*type="password"[^>]*id="f-password"/);
    expect(page).not.toContain("aria-pressed");
  });
});

describe("calendar and times", () => {
  it("offers only days that have a link, and marks the chosen one", () => {
    const page = html(
      <CalendarGrid
        labelledBy="m"
        weeks={[
          [
            { date: "2026-11-21", state: "past" },
            { date: "2026-11-22", state: "free", to: "?date=2026-11-22", chosen: true, label: "Sunday 22 November, chosen" },
            { date: "2026-11-23", state: "full" },
          ],
        ]}
      />,
    );
    expect(page.match(/<a /g)).toHaveLength(1);
    expect(page).toMatch(/<a aria-current="date"|<a [^>]*aria-current="date"/);
    expect(page).toContain("Sunday 22 November, chosen");
  });

  it("hides only past weeks at the start of the current month on a phone", () => {
    const past = (day: number): CalendarDay => ({ date: `2026-11-${String(day).padStart(2, "0")}`, state: "past" });
    const rows = (...weeks: CalendarDay[][]) =>
      html(<CalendarGrid labelledBy="m" weeks={weeks} />).match(/<tr class="max-desktop:hidden">|<tr>(?=<td)/g);
    const [shown, gone] = ["<tr>", '<tr class="max-desktop:hidden">'];
    const coming: CalendarDay = { date: "2026-11-22", state: "free", to: "?date=2026-11-22" };
    expect(rows([past(1)], [past(8)], [coming])).toEqual([gone, gone, shown]);
    expect(rows([{ ...past(3), badges: ["11:00 AM"] }], [past(8)], [coming])).toEqual([shown, shown, shown]);
    expect(rows([past(1)], [{ ...past(8), badges: ["11:00 AM"] }], [past(15)])).toEqual([shown, shown, shown]);
    expect(rows([past(1)], [past(8)])).toEqual([shown, shown]);
  });

  it("shows noon in the afternoon, counts free slots, and shows taken ones with the reason", () => {
    const page = html(
      <SlotPicker
        name="time"
        chosen="09:30"
        slots={[
          { time: "09:30", taken: true },
          { time: "12:00" },
          { time: "17:00", taken: true, why: "Your appointment" },
          { time: "17:30" },
        ]}
      />,
    );
    expect(page.indexOf("Afternoon")).toBeLessThan(page.indexOf("12:00 PM"));
    expect(page).toMatch(/disabled=""[^>]*value="17:00"|value="17:00"[^>]*disabled=""/);
    expect(page).toContain("Your appointment");
    expect(page).toContain(", <!-- -->1 free");
    expect([...page.matchAll(/id="(slot-\d)"[^>]*value="([\d:]+)"/g)].map(([, id, time]) => [id, time])).toEqual([
      ["slot-1", "12:00"],
      ["slot-2", "17:30"],
    ]);
    expect(page).not.toContain("checked=");
  });
});

describe("other components", () => {
  it("omits facts without a value", () => {
    const page = html(<Facts items={[["Age", 46], ["Blood group", null], ["Note", ""], false]} />);
    expect(page.match(/<dt>/g)).toHaveLength(1);
  });

  it("starts a countdown at whole seconds, never below zero", () => {
    const countdown = (left: number) =>
      html(
        <Countdown left={left}>
          <Seconds left={left} />
        </Countdown>,
      );
    expect(countdown(106.2)).toContain("--left:107");
    expect(countdown(-3)).toContain("--left:0");
  });

  it("writes the seconds of a countdown into the HTML, for browsers without CSS", () => {
    expect(html(<Seconds left={106.2} />)).toContain(">107<");
  });

  it("shows the message of a refusal and no internal details", () => {
    const refusal = (status: number, data: unknown) => ({ status, statusText: "", internal: false, data });
    expect(errorTextOf(refusal(403, { code: "forbidden", message: "Not yours." })).text).toBe("Not yours.");
    expect(errorTextOf(refusal(404, 'Error: No route matches URL "/x"')).text).not.toContain("route");
    expect(errorTextOf(refusal(503, null)).retry).toBe(true);
    expect(JSON.stringify(errorTextOf(new Error("password=hunter2")))).not.toContain("hunter2");
  });
});
