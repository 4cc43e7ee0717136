import { sql } from 'drizzle-orm';
import { ApiError, problem } from '#shared/errors';
import type { LocalizedText } from '#shared/text';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import type { Files } from '../files/files.ts';
import { recordPersonalAccess } from './access-log.ts';
import { kernelRecords } from './kernel-records.ts';
import { findPerson, type Person, type PersonalSource, type PersonReference } from './people.ts';
import { type ErasureReport, erasePerson, planErasure } from './person-erasure.ts';
import { type PersonExport, readPerson } from './person-export.ts';
import { eraseOutdated, type OutdatedOptions, type OutdatedRows } from './retention.ts';

/** Plugins as far as they hold personal data. */
export interface DeclaringPlugin {
  readonly id: string;
  readonly title: readonly [string, string];
  readonly personalData?: PersonalSource['records'];
}

/** Collects what the server and its plugins hold about people. */
export const personalSources = (plugins: readonly DeclaringPlugin[]): PersonalSource[] => [
  ...plugins.map(({ id, title, personalData = [] }) => ({ plugin: id, title, records: personalData })),
  { plugin: 'kernel', title: ['系统', 'System'], records: kernelRecords },
];

/** Reasons for which a person is not exported or erased. */
export const personProblems = {
  notFound: problem(404, ['没有找到该人员', 'No such person.']),
  self: problem(403, ['不能删除自己的个人数据', 'You cannot erase yourself.']),
  administrator: problem(409, ['该用户是管理员，请先撤销其管理员角色', 'This user is an administrator. Take the administrator role away first.']),
};

/** Exports and erases everything that the server and its plugins hold about one person. */
export class PersonalData {
  constructor(
    private readonly db: Database,
    private readonly files: Pick<Files, 'remove'> | undefined,
    private readonly plugins: () => readonly DeclaringPlugin[],
  ) {}

  /** Finds a person in the tenant of the transaction; throws if there is none. */
  async find(tenantId: string, reference: PersonReference): Promise<Person> {
    const person = await findPerson(this.db, tenantId, reference);
    if (!person) throw new ApiError(personProblems.notFound);
    return person;
  }

  /** Reads everything about a person, and records that. Runs in a transaction of the tenant that may write. */
  async export(person: Person): Promise<PersonExport> {
    const exported = await readPerson(this.db, this.sources(), person);
    const rows = exported.records.reduce((count, one) => count + one.rows.length, 0);
    await this.record('person-exported', person, exported.records, rows);
    return exported;
  }

  /** Says what an erasure would delete and what stays. */
  plan(person: Person): Promise<ErasureReport> {
    return planErasure(this.db, this.sources(), person);
  }

  /** Erases a person and records that, in the current transaction, after which `removeFiles` deletes the files. Throws for an administrator. */
  async erase(person: Person): Promise<ErasureReport> {
    await this.assertErasable(person);
    const report = await erasePerson(this.db, this.sources(), person);
    const erased = report.records.filter((one) => one.erased > 0);
    await this.record(
      'erased',
      person,
      erased,
      erased.reduce((count, one) => count + one.erased, 0),
    );
    return report;
  }

  /** Deletes the files that an erasure has found, once it has committed. */
  async removeFiles({ tenantId }: Person, { files }: ErasureReport): Promise<void> {
    if (files.erased.length > 0) await this.files?.remove(tenantId, files.erased);
  }

  /** Erases the rows of a tenant whose retention has ended. Opens its own transactions. */
  eraseOutdated(options: OutdatedOptions): Promise<OutdatedRows[]> {
    return eraseOutdated(this.db, this.sources(), options);
  }

  /** Returns the titles of the tables that contain personal data, by name. */
  titles(): ReadonlyMap<string, LocalizedText> {
    return new Map(this.sources().flatMap(({ records }) => records.map(({ table, title }): [string, LocalizedText] => [table, title])));
  }

  private sources(): PersonalSource[] {
    return personalSources(this.plugins());
  }

  private async assertErasable({ userId }: Person): Promise<void> {
    if (userId === undefined) return;
    const administrators = await queryRows(
      this.db,
      sql`select 1 from user_role ur join role r on r.id = ur.role_id and r.is_deleted = 0
          where ur.user_id = ${userId}::bigint and r.role_alias in ('administrator', 'admin')`,
    );
    if (administrators.length > 0) throw new ApiError(personProblems.administrator);
  }

  private record(action: 'person-exported' | 'erased', { userId }: Person, records: readonly { readonly table: string }[], rows: number): Promise<void> {
    const fields = [...new Set(records.map(({ table }) => table))];
    return recordPersonalAccess(this.db, { action, entity: 'person', fields, rows, ...(userId === undefined ? {} : { recordId: userId }) });
  }
}
