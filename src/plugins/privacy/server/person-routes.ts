import {
  ApiError,
  actingAs,
  assertManageable,
  type CallRequest,
  type ErasureReport,
  type Person,
  PersonalData,
  type PluginRoute,
  type Principal,
  personArchive,
  personProblems,
  route,
  type ServerContext,
} from '#server';
import { maskPersonal } from '#shared/personal';
import { type PersonInput, type PersonReport, personCalls, privacyProblems } from '../contract.ts';

const archiveHours = 1;

/** Serves the calls about one person. */
export function personRoutes({ db, files, get, systemLog }: Pick<ServerContext, 'db' | 'files' | 'get' | 'systemLog'>): PluginRoute[] {
  const data = get(PersonalData);

  /** Finds the person in the caller's tenant, whom the caller must be allowed to manage. */
  async function find({ tenantId }: Principal, { account, phone, email }: PersonInput): Promise<Person> {
    if (!account && !phone && !email) throw new ApiError(privacyProblems.noReference);
    const person = await data.find(tenantId, { account: account || undefined, phone, email });
    if (person.userId !== undefined) await assertManageable(db, [person.userId]);
    return person;
  }

  async function exportPerson({ input, principal }: CallRequest<typeof personCalls.export>): Promise<{ link: string }> {
    const { tenantId, userId } = principal;
    const exported = await actingAs(principal, () => db.write({ tenantId }, async () => data.export(await find(principal, input))));
    const archive = personArchive(exported, async ({ id }) => {
      const file = await files.find(tenantId, id);
      return file && (await files.open(file).catch(() => undefined));
    });
    const name = `person-${exported.person.userId ?? Date.now()}.zip`;
    const stored = await files.save(name, archive, { tenantId, userId, purpose: 'transfer', hours: archiveHours });
    return { link: files.linkTo(stored) };
  }

  async function erase({ input: { confirmation, ...reference }, principal }: CallRequest<typeof personCalls.erase>): Promise<PersonReport> {
    const person = await find(principal, reference);
    if (person.userId === principal.userId) throw new ApiError(personProblems.self);
    if (confirmation.trim() !== person.name) throw new ApiError(privacyProblems.wrongName, {}, { field: 'confirmation' });
    const report = await data.erase(person);
    const failed = (error: Error) => systemLog.log({ level: 'error', event: 'privacy:files-not-removed', data: { problem: error.message } });
    db.afterCommit(() => void data.removeFiles(person, report).catch(failed));
    return reportOf(person, report);
  }

  return [
    route(personCalls.plan, async ({ input, principal }) => {
      const person = await find(principal, input);
      return reportOf(person, await data.plan(person));
    }),
    route(personCalls.export, exportPerson, { manualTransactions: true, noStore: true }),
    route(personCalls.erase, erase),
  ];
}

const reportOf = ({ userId, account, name, phones, emails }: Person, { records, files }: ErasureReport): PersonReport => ({
  person: {
    userId: userId ?? null,
    account: account ?? null,
    name: userId === undefined ? (phones[0] ?? emails[0] ?? name) : name,
    phones: phones.map((phone) => maskPersonal('phone', phone)),
    emails: emails.map((email) => maskPersonal('email', email)),
  },
  records: records.map(({ plugin, title, erased, isDeleted, kept, reason, until }) => ({
    plugin,
    title,
    erased,
    isDeleted,
    kept,
    reason: reason ?? null,
    until: until ?? null,
  })),
  files: { erased: files.erased.length, kept: files.kept },
});
