import { type GenerateContentRequest, type GenerateContentResponse, GoogleGenerativeAIFetchError } from "@google/generative-ai";

type Call = { apiKey: string; baseUrl: string; model: string; content: GenerateContentRequest; signal: AbortSignal; longest: number };

/**
 * Calls `streamGenerateContent` of Google's REST API and returns its chunks. The package searches the whole response again with each piece, so
 * that 10 MB blocked the process for 17 s, and takes no limit of bytes.
 * @throws GoogleGenerativeAIFetchError for a response that is not 2xx, RangeError for one longer than `longest` bytes
 */
export async function* streamContent({ apiKey, baseUrl, model, content, signal, longest }: Call): AsyncGenerator<GenerateContentResponse> {
  const path = model.includes("/") ? model : `models/${model}`;
  const response = await fetch(`${baseUrl}/v1beta/${path}:streamGenerateContent?alt=sse`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-goog-api-key": apiKey },
    body: JSON.stringify(content),
    // A redirect would send the key to another host.
    redirect: "error",
    signal,
  });
  const pieces = readText(response, longest);
  if (!response.ok) throw await errorOf(response, pieces);
  let rest = "";
  for await (const piece of pieces) {
    const events = (rest + piece).split(/\r?\n\r?\n|\r\r/);
    rest = events.pop() ?? "";
    for (const event of events) if (event.startsWith("data: ")) yield JSON.parse(event.slice("data: ".length));
  }
  if (rest.trim()) throw new SyntaxError("the stream ends within a chunk");
}

/** Reads the body as UTF-8 text. @throws RangeError when it is longer than this many bytes */
async function* readText({ body }: Response, longest: number): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let size = 0;
  for await (const bytes of body ?? []) {
    size += bytes.byteLength;
    if (size > longest) throw new RangeError("the answer is too long");
    yield decoder.decode(bytes, { stream: true });
  }
  yield decoder.decode();
}

async function errorOf({ status, statusText }: Response, pieces: AsyncGenerator<string>): Promise<GoogleGenerativeAIFetchError> {
  let text = "";
  for await (const piece of pieces) text += piece;
  let message = "";
  try {
    message = JSON.parse(text).error.message;
  } catch {
    // Not Google's own answer: the status says enough.
  }
  return new GoogleGenerativeAIFetchError(`[${status} ${statusText}] ${message}`, status, statusText);
}
