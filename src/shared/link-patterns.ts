const mostLines = 20;
const longestLine = 300;
const longestLink = 2000;
const shape = /^(?:(https?):\/\/)?((?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+)(:\d{1,5})?(\/[^?#\s]*)?(?:\?([^#\s]*))?$/i;

interface LinkPattern {
  /** Undefined: either. */
  readonly scheme: string | undefined;
  /** With `*.` in front: what lies below this host, at any depth. */
  readonly host: string;
  readonly port: string;
  /** Undefined: any. */
  readonly path: string | undefined;
  /** Parameters that must be there; others are free. */
  readonly query: readonly (readonly [name: string, value: string])[];
}

/**
 * The line of these link patterns that is none, counted from 1, or nothing. A pattern is written as the links it lets through, one a line: `*.example.com` is
 * whatever lies below that host, `*` in a path stays within its part, `**` crosses parts, `?id=*` asks for a parameter. What is left out is free.
 */
export function wrongLine(patterns: string): number | undefined {
  const lines = patterns.split('\n');
  const wrong = lines.findIndex((line, place) => line.trim() !== '' && (place >= mostLines || !parsed(line.trim())));
  return wrong < 0 ? undefined : wrong + 1;
}

/** Whether a link fits one of these patterns. Costs at most the length of the link times that of the patterns, whatever they say. */
export function fitsPatterns(patterns: string, link: string): boolean {
  const url = link.length <= longestLink && URL.canParse(link) ? new URL(link) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return false;
  return patterns
    .split('\n')
    .slice(0, mostLines)
    .some((line) => {
      const pattern = parsed(line.trim());
      return pattern !== undefined && fits(pattern, url);
    });
}

function parsed(line: string): LinkPattern | undefined {
  const [, scheme, host = '', port = '', path, query] = (line.length <= longestLine && shape.exec(line)) || [];
  if (host === '' || !URL.canParse(`https://${host.replace('*.', '')}${port}`)) return undefined;
  // As a browser writes them: letters outside of ASCII are escaped, dots between slashes followed.
  const written = path === undefined ? undefined : new URL(`https://host${path}`).pathname;
  return { scheme: scheme?.toLowerCase(), host: host.toLowerCase(), port: port.slice(1), path: written, query: [...new URLSearchParams(query)] };
}

function fits({ scheme, host, port, path, query }: LinkPattern, url: URL): boolean {
  const isHost = host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) && url.hostname.length >= host.length : url.hostname === host;
  return (
    isHost &&
    (scheme === undefined || url.protocol === `${scheme}:`) &&
    url.port === port &&
    (path === undefined || globs(path, url.pathname)) &&
    query.every(([name, value]) => url.searchParams.getAll(name).some((given) => globs(value, given)))
  );
}

/** Goes through the text once, keeping every place of the glob it may have come to. */
function globs(glob: string, text: string): boolean {
  const parts = glob.match(/\*{2,}|[\s\S]/g) ?? [];
  let places = withSkips([0], parts);
  for (const letter of text) {
    const next = new Set<number>();
    for (const place of places) {
      const part = parts[place];
      if (part === '*' ? letter !== '/' : part?.startsWith('**')) next.add(place);
      if (part === letter && part !== '*') next.add(place + 1);
    }
    places = withSkips(next, parts);
  }
  return places.has(parts.length);
}

/** A star may stand for nothing. */
function withSkips(places: Iterable<number>, parts: readonly string[]): Set<number> {
  const all = new Set(places);
  for (const place of all) if (parts[place]?.startsWith('*')) all.add(place + 1);
  return all;
}
