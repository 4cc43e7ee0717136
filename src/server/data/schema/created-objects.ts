/** Names of the objects that migrations create. Indexes, triggers and policies belong to their tables. */
export interface CreatedObjects {
  readonly tables: readonly string[];
  readonly views: readonly string[];
  readonly types: readonly string[];
  readonly sequences: readonly string[];
  readonly routines: readonly string[];
}

const kinds = {
  tables: 'table',
  views: '(?:materialized )?view',
  types: '(?:type|domain)',
  sequences: 'sequence',
  routines: '(?:or replace )?(?:function|procedure)',
} as const;

/** Finds the objects that the texts of migrations create, in the order of their creation. Statements that a migration builds itself are not found. */
export function createdObjects(texts: readonly string[]): CreatedObjects {
  const code = texts.map(withoutBodies).join('\n');
  const namesOf = (kind: string) => {
    const statement = new RegExp(`^\\s*create (?:unlogged )?${kind} (?:if not exists )?(?:public\\.)?"?(\\w+)"?`, 'gim');
    return [...new Set([...code.matchAll(statement)].map(([, name = '']) => name.toLowerCase()))];
  };
  const { tables, views, types, sequences, routines } = kinds;
  return { tables: namesOf(tables), views: namesOf(views), types: namesOf(types), sequences: namesOf(sequences), routines: namesOf(routines) };
}

/** Removes comments and the bodies of functions, which may contain statements, and puts each statement on a line of its own. */
const withoutBodies = (text: string) =>
  text
    .replace(/--.*$/gm, '')
    .replace(/(\$\w*\$)[\s\S]*?\1/g, "''")
    .replaceAll(';', ';\n');

/** Returns the plugin that creates each table. */
export function tableOwners(migrations: readonly { readonly plugin: string; readonly text: string }[]): Map<string, string> {
  return new Map(migrations.flatMap(({ plugin, text }) => createdObjects([text]).tables.map((table) => [table, plugin] as const)));
}
