// Whether a text is the compiler's decision trace, as the engine looks at it: JSON whose first kilobytes name a forward
// pass.
export function looksLikeDecisionTrace(text: string): boolean {
  const start = text.slice(0, 4096);
  return start.trimStart().startsWith('{') && start.includes('"forwardPass"');
}
