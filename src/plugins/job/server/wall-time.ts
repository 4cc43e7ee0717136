/** Formats a time in a time zone as `yyyy-MM-dd HH:mm:ss`. */
export const wallTime = (moment: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(moment);

/** Returns the milliseconds since 1970 at which the clocks of a time zone show this time. */
export function momentOf(wall: string, timeZone: string): number {
  const asUtc = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`);
  let moment = asUtc(wall);
  // A second pass is needed because the first guess may be on the other side of a daylight-saving change.
  for (let round = 0; round < 2; round += 1) moment += asUtc(wall) - asUtc(wallTime(moment, timeZone));
  return moment;
}
