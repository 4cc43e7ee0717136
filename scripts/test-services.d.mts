/** Returns the folder of PostgreSQL's programs, if this machine has them. */
export function postgresBinaries(): string | undefined;
/** Returns the path of PgBouncer; it is installed where CI requires it. */
export function findPgbouncer(): string | undefined;
/** Returns the path of Exim; it is installed where CI requires it. */
export function findExim(): string | undefined;
/** Returns the path of slapd; it is installed where CI requires it. */
export function findSlapd(): string | undefined;
/** Returns the path of rsyslog; it is installed where CI requires it. */
export function findRsyslog(): string | undefined;
/** Returns the path of Prometheus; it is installed where CI requires it. */
export function findPrometheus(): string | undefined;
/** Returns the path of a reverse proxy; it is installed where CI requires it. */
export function findReverseProxy(name: 'nginx' | 'haproxy' | 'caddy'): string | undefined;
