import { setTimeout as pause } from 'node:timers/promises';
import { tenantRole } from '../context/identity.ts';

/** Runs a statement as the login user. */
export type RunStatement = (statement: string) => Promise<Record<string, unknown>[]>;

/**
 * Ensures that the tenants' role exists, has no dangerous rights and can be assumed by the login user; otherwise throws with the statements a database administrator
 * must run.
 */
export async function ensureTenantRole(run: RunStatement): Promise<void> {
  for (let attempt = 0; !(await isReady(run)); attempt++) {
    const failure = await createRole(run);
    if (await isReady(run)) break;
    if (attempt === 5) throw new Error(await advice(run), { cause: failure });
    // Another process may be creating it at the same time, because all databases of a server share their roles.
    await pause(20 + Math.random() * 80);
  }
  const [role] = await run(`select rolsuper or rolbypassrls as unsafe from pg_roles where rolname = '${tenantRole}'`);
  if (role?.unsafe) throw new Error(`The database role ${tenantRole} can bypass row level security. Run: alter role ${tenantRole} nosuperuser nobypassrls`);
}

async function isReady(run: RunStatement): Promise<boolean> {
  try {
    const [role] = await run(`select 1 from pg_roles where rolname = '${tenantRole}'`);
    if (!role) return false;
    await run(`set role ${tenantRole}`);
    await run('reset role');
    return true;
  } catch {
    return false;
  }
}

/** Creates the role and returns the last error, if any; the caller tests the result. */
async function createRole(run: RunStatement): Promise<unknown> {
  const statements = [`create role ${tenantRole} nologin nosuperuser nobypassrls`, `grant ${tenantRole} to current_user`];
  let failure: unknown;
  for (const statement of statements) await run(statement).catch((error: unknown) => (failure = error));
  return failure;
}

async function advice(run: RunStatement): Promise<string> {
  const [login] = await run('select quote_ident(current_user) as name');
  return [
    `The database user ${login?.name} cannot create or assume the role ${tenantRole}, which isolates tenants.`,
    `Ask a database administrator to run: create role ${tenantRole} nologin; grant ${tenantRole} to ${login?.name};`,
  ].join(' ');
}
