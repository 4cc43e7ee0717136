import type { EmittedFile } from './emit/plan.ts';

interface MigratedColumn {
  readonly type: string;
  readonly isRequired: boolean;
}
type MigratedColumns = Map<string, MigratedColumn>;

/** Adds a migration for the differences; applied ones never change. It parses only statements that the emitter and this function write. */
export function nextMigration(files: readonly EmittedFile[], before: readonly EmittedFile[]): EmittedFile[] {
  const isMigration = ({ path }: EmittedFile) => path.endsWith('.sql');
  const applied = before.filter(isMigration).sort((a, b) => (a.path < b.path ? -1 : 1));
  const first = files.find(isMigration);
  if (applied.length === 0 || !first) return [...files];
  const others = files.filter((file) => !isMigration(file));
  const written = applied.map(({ text }) => text).join('\n');
  const changes = changesBetween(tablesIn(written), tablesIn(first.text)) + newIndexes(written, first.text);
  if (changes === '') return [...others, ...applied];
  const number = String(applied.length + 1).padStart(4, '0');
  return [...others, ...applied, { path: first.path.replace('/0001-', `/${number}-`), text: changes }];
}

/** Returns the columns of each table after these statements. */
function tablesIn(statements: string): Map<string, MigratedColumns> {
  const tables = new Map<string, MigratedColumns>();
  for (const [, table = '', body = ''] of statements.matchAll(/^create table (\S+) \(\n([\s\S]*?)^\);/gm)) {
    const lines = body.split('\n').map((line) => line.trim().replace(/,$/, ''));
    tables.set(table, new Map(lines.filter((line) => line !== '' && !line.startsWith('like ')).map(columnIn)));
  }
  for (const [, table = '', verb, name = '', rest = ''] of statements.matchAll(
    /^alter table (\S+) (add column|drop column|alter column) (\S+?)(?: (.+))?;$/gm,
  )) {
    const columns = tables.get(table);
    const column = columns?.get(name);
    if (verb === 'add column') columns?.set(...columnIn(`${name} ${rest}`));
    else if (verb === 'drop column') columns?.delete(name);
    else if (column && rest.startsWith('type ')) columns?.set(name, { ...column, type: rest.slice(5).replace(/ using .*$/, '') });
    else if (column && rest.endsWith('not null')) columns?.set(name, { ...column, isRequired: rest.startsWith('set') });
  }
  return tables;
}

/** Returns the statements for indexes that no earlier migration contains. */
function newIndexes(before: string, after: string): string {
  const previousLines = new Set(before.split('\n'));
  return after
    .split('\n')
    .filter((line) => /^(call sort_by|create unique index)/.test(line) && !previousLines.has(line))
    .map((line) => `${line}\n`)
    .join('');
}

function columnIn(line: string): [name: string, column: MigratedColumn] {
  const [, name = '', type = '', rest = ''] = /^(\S+) (.+?)( not null.*)?$/.exec(line) ?? [];
  return [name, { type, isRequired: rest !== '' }];
}

function changesBetween(before: ReadonlyMap<string, MigratedColumns>, after: ReadonlyMap<string, MigratedColumns>): string {
  const lines: string[] = [];
  for (const [table, columns] of after) {
    const previous = before.get(table) ?? new Map<string, MigratedColumn>();
    const alter = (change: string) => lines.push(`alter table ${table} ${change};`);
    for (const name of previous.keys()) if (!columns.has(name)) alter(`drop column ${name}`);
    for (const [name, { type, isRequired }] of columns) {
      const old = previous.get(name);
      // Existing rows need a value for a required column.
      if (!old) alter(`add column ${name} ${type}${isRequired ? ` not null default ${defaultOf(type)}` : ''}`);
      if (old && old.type !== type) alter(`alter column ${name} type ${type} using ${name}::${type}`);
      if (old && old.isRequired !== isRequired) alter(`alter column ${name} ${isRequired ? 'set' : 'drop'} not null`);
    }
  }
  return lines.length > 0 ? `${lines.join('\n')}\n` : '';
}

function defaultOf(type: string): string {
  if (/^(integer|bigint|double)/.test(type)) return '0';
  if (/^(date|timestamptz)/.test(type)) return 'now()';
  if (type === 'boolean') return 'false';
  return /^time/.test(type) ? "'00:00'" : type === 'jsonb' ? "'[]'" : "''";
}
