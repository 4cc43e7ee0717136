const maxLines = 20;
const maxLineLength = 300;
const maxLinkLength = 2000;
const patternSyntax = /^(?:(https?):\/\/)?((?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+)(:\d{1,5})?(\/[^?#\s]*)?(?:\?([^#\s]*))?$/i;

interface LinkPattern {
  /** Undefined matches both schemes. */
  readonly scheme: string | undefined;
  /** Host name; with `*.` in front it matches all subdomains at any depth. */
  readonly host: string;
  readonly port: string;
  /** Undefined matches any path. */
  readonly path: string | undefined;
  /** Required parameters; others are allowed. */
  readonly query: readonly (readonly [name: string, value: string])[];
}

/**
 * Returns the number, from 1, of the first invalid line of these link patterns, or undefined. A pattern is written like the links it allows, one per line:
 * `*.example.com` matches all subdomains, `*` in a path stays within its segment, `**` spans segments, `?id=*` requires a parameter. Parts that are left out match
 * anything.
 */
export function firstInvalidLine(patterns: string): number | undefined {
  const lines = patterns.split('\n');
  const invalid = lines.findIndex((line, index) => line.trim() !== '' && (index >= maxLines || !parsePattern(line.trim())));
  return invalid < 0 ? undefined : invalid + 1;
}

/** Checks a link against the patterns. The cost is bounded by the length of the link times that of the patterns, regardless of their content. */
export function matchesPatterns(patterns: string, link: string): boolean {
  const url = link.length <= maxLinkLength && URL.canParse(link) ? new URL(link) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return false;
  return patterns
    .split('\n')
    .slice(0, maxLines)
    .some((line) => {
      const pattern = parsePattern(line.trim());
      return pattern !== undefined && matches(pattern, url);
    });
}

function parsePattern(line: string): LinkPattern | undefined {
  const [, scheme, host = '', port = '', path, query] = (line.length <= maxLineLength && patternSyntax.exec(line)) || [];
  if (host === '' || !URL.canParse(`https://${host.replace('*.', '')}${port}`)) return undefined;
  // Normalises the path as browsers do: non-ASCII letters are escaped, dot segments resolved.
  const normalizedPath = path === undefined ? undefined : new URL(`https://host${path}`).pathname;
  return { scheme: scheme?.toLowerCase(), host: host.toLowerCase(), port: port.slice(1), path: normalizedPath, query: [...new URLSearchParams(query)] };
}

function matches({ scheme, host, port, path, query }: LinkPattern, url: URL): boolean {
  const matchesHost = host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) && url.hostname.length >= host.length : url.hostname === host;
  return (
    matchesHost &&
    (scheme === undefined || url.protocol === `${scheme}:`) &&
    matchesPort(port, url) &&
    (path === undefined || matchesGlob(path, url.pathname)) &&
    query.every(([name, value]) => url.searchParams.getAll(name).some((actual) => matchesGlob(value, actual)))
  );
}

/** Compares ports. Without one, patterns and links have the default port of the link's scheme. */
function matchesPort(port: string, { protocol, port: urlPort }: URL): boolean {
  const defaultPort = protocol === 'https:' ? '443' : '80';
  return (port || defaultPort) === (urlPort || defaultPort);
}

/** Matches a glob in one pass over the text. */
function matchesGlob(glob: string, text: string): boolean {
  const parts = glob.match(/\*{2,}|[\s\S]/g) ?? [];
  // At index n: whether the text so far matches the first n parts.
  const matched = Array.from({ length: parts.length + 1 }, (_, length) => parts.slice(0, length).every(isStar));
  for (const letter of text) {
    for (let index = parts.length; index >= 0; index -= 1) {
      const part = parts[index];
      const isContinued = isStar(part) && (part !== '*' || letter !== '/');
      const isNext = letter !== '*' && parts[index - 1] === letter;
      matched[index] = (matched[index] === true && isContinued) || (isNext && matched[index - 1] === true);
    }
    // A star also matches nothing.
    for (const [index, part] of parts.entries()) if (matched[index] && isStar(part)) matched[index + 1] = true;
  }
  return matched[parts.length] === true;
}

const isStar = (part: string | undefined) => part?.startsWith('*') === true;
