// Requests to the service; every failure becomes a Refused with a code that the page knows.

export class Refused extends Error {
  constructor(status, code, message, retryAfter = null) {
    super(message);
    Object.assign(this, { status, code, retryAfter });
  }
}

const KEY = "discobert-token";
let token = sessionStorage.getItem(KEY) || "";

export function useToken(value) {
  token = value.trim();
  sessionStorage.setItem(KEY, token);
}

async function call(path, options = {}) {
  const headers = { ...options.headers, ...(token && { Authorization: `Bearer ${token}` }) };
  let response;
  try {
    response = await fetch(path, { ...options, headers, cache: "no-store" });
    if (response.ok) return await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, "gone", "The service does not answer.");
  }
  throw await refusal(response);
}

async function refusal(response) {
  let { code, message } = { code: "http", message: response.statusText };
  try {
    ({ code, message } = (await response.json()).error);
  } catch (error) {
    if (error.name === "AbortError") throw error;
  }
  const seconds = Number.parseFloat(response.headers.get("Retry-After"));
  return new Refused(response.status, code, message, Number.isFinite(seconds) ? seconds : null);
}

export const summarize = (body, signal) =>
  call("/v1/summarize", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal });

export const extract = (file, signal) =>
  call(`/v1/extract?name=${encodeURIComponent(file.name.slice(-200))}`, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file, signal });

export const info = () => call("/info");

export async function isAlive() {
  try {
    return (await fetch("/health/live", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}
