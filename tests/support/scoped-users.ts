import type { TestServer } from './test-server.ts';

type Headers = Record<string, string>;

interface UserScope {
  /** Entity of the rows. */
  readonly of: string;
  /** Visible fields, separated by commas; all by default. */
  readonly fields?: string;
  /** Condition of the visible rows; all by default. */
  readonly rule?: object;
}

let scopes = 900;

/** Creates a user with these codes who sees rows of entities, or their fields, as far as these scopes tell, on all of these pages alike. */
export async function scopedUser(
  server: TestServer,
  { account, codes, pages, scopes: given }: { account: string; codes: readonly string[]; pages: readonly string[]; scopes: readonly UserScope[] },
): Promise<Headers> {
  await server.createUser({ account, codes, roleAlias: account });
  for (const { of, fields = '*', rule } of given)
    for (const page of pages) {
      scopes += 1;
      await server.sql(`insert into data_scope (id, menu_id, scope_name, resource_code, scope_field, scope_class, scope_type, scope_value)
        select ${scopes}, id, '${account}', '${account}-${of}-${page}', '${fields}', '${of}', ${rule ? 5 : 1}, ${rule ? `'${JSON.stringify(rule)}'` : 'null'} from menu where code = '${page}'`);
      await server.sql(
        `insert into role_scope (tenant_id, role_id, scope_category, scope_id) select '000000', id, 1, ${scopes} from role where role_alias = '${account}'`,
      );
    }
  return server.signIn(account);
}
