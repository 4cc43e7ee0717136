/** A moment as the clocks of a zone show it, `yyyy-MM-dd HH:mm:ss`. */
export const wallTime = (moment: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(moment);

/** The moment at which the clocks of a zone show this, in milliseconds since 1970. */
export function momentOf(wall: string, timeZone: string): number {
  const asUtc = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`);
  let moment = asUtc(wall);
  // Twice: the first guess may stand on the other side of a change of the clocks.
  for (let round = 0; round < 2; round += 1) moment += asUtc(wall) - asUtc(wallTime(moment, timeZone));
  return moment;
}
