// How a run is called where its title is too long.
export function letter(at: number): string {
  return String.fromCharCode(65 + at);
}
