// Texts from addresses that the embedding page names.

const kMostBytes = 64 * 1024 * 1024;

export type Fetched =
  { readonly kind: 'ok'; readonly text: string } | { readonly kind: 'problem'; readonly text: string };

// Null when there is no address.
export async function fetchText(address: string): Promise<Fetched | null> {
  if (address === '') return null;
  const problem = (text: string): Fetched => ({ kind: 'problem', text: `${address.slice(0, 200)} ${text}.` });
  try {
    const response = await fetch(new URL(address, document.baseURI), { credentials: 'same-origin' });
    if (!response.ok) return problem(`could not be loaded (HTTP ${response.status})`);
    const length = Number(response.headers.get('Content-Length') ?? 0);
    if (length > kMostBytes) return problem('is too large');
    const text = await response.text();
    return text.length > kMostBytes ? problem('is too large') : { kind: 'ok', text };
  } catch {
    return problem('could not be loaded');
  }
}
