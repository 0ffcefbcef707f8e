import { type DataStrategyResult, data, redirect } from "react-router";
import { expect, it } from "vitest";
import { keepShownData, rememberShown } from "./quiet-reload.ts";
import { answerForm, keepAfterRefusal } from "./unsent-form.ts";

type Args = Parameters<typeof answerForm>[0];
type Answer = ReturnType<typeof data>;

/** What React Router gets of the answer of an action. */
async function shown(result: DataStrategyResult, method = "POST"): Promise<DataStrategyResult & { result: Answer }> {
  const args = { request: new Request("http://localhost/form", { method }) } as Args;
  const results = (await answerForm(args, async () => ({ form: result }))) as Record<string, DataStrategyResult>;
  return results.form as DataStrategyResult & { result: Answer };
}
const refused = { result: { status: "error", error: { time: ["Taken"] } } };
const outcome = { currentParams: {}, nextParams: {}, defaultShouldRevalidate: true } as Parameters<typeof keepAfterRefusal>[0];

it("has the data of the page loaded again after a refusal, and keeps what the page says", async () => {
  const { result } = await shown({ type: "data", result: data(refused, { status: 409 }) });
  expect(result.init?.status).toBeUndefined();
  expect(result.data).toEqual(refused);
});

it("keeps the form of a post that never arrived, and loads nothing", async () => {
  const { type, result } = await shown({ type: "error", result: new TypeError("Failed to fetch") });
  expect(type).toBe("data");
  expect(result.init?.status).toBe(503);
  expect(result.data).toMatchObject({ result: { status: "error" }, unsent: true });
});

it.each([429, 503])("keeps the form and its key after a %i, and loads nothing", async (status) => {
  expect((await shown({ type: "data", result: data(refused, { status }) })).result.init?.status).toBe(status);
});

it("leaves other answers and page loads as they are", async () => {
  const done = { type: "data", result: data({ result: { status: "success" } }, { status: 200 }) } as const;
  expect(await shown(done)).toBe(done);
  expect((await shown(done)).result.init?.status).toBe(200);
  const failed = { type: "error", result: new Error("bug") } as const;
  expect((await shown(failed)).type).toBe("error");
  const loaded = { type: "data", result: data({}, { status: 404 }) } as const;
  expect((await shown(loaded, "GET")).result.init?.status).toBe(404);
});

it("keeps the root's data after a refusal only", () => {
  expect(keepAfterRefusal({ ...outcome, actionResult: refused })).toBe(false);
  expect(keepAfterRefusal({ ...outcome, actionResult: { result: { status: "success" } } })).toBe(true);
  expect(keepAfterRefusal(outcome)).toBe(true);
  expect(keepAfterRefusal({ ...outcome, defaultShouldRevalidate: false })).toBe(false);
});

it("keeps what the page shows when the reload after an answer fails, but not after a redirect to the same page", async () => {
  rememberShown([{ id: "page", loaderData: "before the form" }]);
  const pass = async (method: string, result: DataStrategyResult) => {
    const args = { request: new Request("http://localhost/page", { method }) } as Args;
    return ((await keepShownData(args, async () => ({ page: result }))) as Record<string, DataStrategyResult>).page;
  };
  const failed = () => ({ type: "error", result: new TypeError("Failed to fetch") }) as const;
  await pass("POST", { type: "data", result: data(refused, { status: 409 }) });
  expect(await pass("GET", failed())).toEqual({ type: "data", result: "before the form" });
  await pass("POST", { type: "error", result: redirect("/page") });
  expect(await pass("GET", failed())).toMatchObject({ type: "error" });
});
