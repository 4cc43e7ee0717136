import { sql } from 'drizzle-orm';
import type { TSchema } from 'typebox';
import { ApiError } from '#shared/errors';
import { fileProblems } from '#shared/files';
import { currentActor } from '../../data/context/actor.ts';
import type { Database, SignedLinkResolver } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { holdsFiles } from '../../data/repository/signed-links.ts';
import type { Signatures } from './signatures.ts';

/** Expiry, in seconds since 1970, of the links stored in records, so that a stored link is never valid by itself. */
const storedLinkExpiry = 0;
const signedLink = /^\/api\/file\/blob\?key=([0-9a-f]{32})&expires=(\d{1,12})&signature=([\w-]{1,64})((?:#.*)?)$/s;

interface LinkedSchema {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema & { readonly $ref?: string };
}

/**
 * Links to private files in records. A record stores a link that grants no access; each reply that contains the record gets a fresh valid link. A writer may only store
 * links they could open at that moment, links already in the field, and links to their own files.
 */
export class RecordFileLinks implements SignedLinkResolver {
  private readonly containsFiles = new WeakMap<TSchema, boolean>();

  constructor(
    private readonly db: Database,
    private readonly signatures: Signatures,
    /** Creates a link that is valid for some minutes. */
    private readonly linkTo: (key: string) => string,
  ) {}

  async toStored(link: string, held: readonly string[]): Promise<string> {
    const [, key, expires, signature = '', fragment] = signedLink.exec(link) ?? [];
    if (key === undefined) return link;
    const mayRefer =
      (Number(expires) === storedLinkExpiry && this.isOfRecord(key, signature)) ||
      this.signatures.isValid(key, Number(expires), signature) ||
      held.some((one) => signedLink.exec(one)?.[1] === key) ||
      (await this.isOwn(key));
    if (!mayRefer) throw new ApiError(fileProblems.notReferable);
    return `/api/file/blob?key=${key}&expires=${storedLinkExpiry}&signature=${this.signatures.sign(key, storedLinkExpiry)}${fragment}`;
  }

  /** Replaces each stored link in a value by a valid one, according to its schema. */
  withSignedLinks<Value>(schema: TSchema, value: Value): Value {
    return this.mayContainFiles(schema) ? (this.replaceLinks(schema, value, schema) as Value) : value;
  }

  private replaceLinks(schema: TSchema, value: unknown, branch: TSchema): unknown {
    if (typeof value === 'string') return this.validLinkOf(value);
    if (typeof value !== 'object' || value === null) return value;
    const { properties = {}, items } = schema as LinkedSchema;
    if (Array.isArray(value)) {
      if (holdsFiles(schema)) return value.map((link) => (typeof link === 'string' ? this.validLinkOf(link) : link));
      const itemSchema = items?.$ref === undefined ? items : branch;
      return itemSchema && this.mayContainFiles(itemSchema) ? value.map((item) => this.replaceLinks(itemSchema, item, itemSchema)) : value;
    }
    const linkFields = Object.entries(properties).filter(
      ([name, property]) => (value as Record<string, unknown>)[name] && (this.mayContainFiles(property) || isTree(property)),
    );
    return {
      ...value,
      ...Object.fromEntries(linkFields.map(([name, property]) => [name, this.replaceLinks(property, (value as Record<string, unknown>)[name], branch)])),
    };
  }

  private validLinkOf(link: string): string {
    const [, key, expires, signature = '', fragment] = signedLink.exec(link) ?? [];
    return key !== undefined && Number(expires) === storedLinkExpiry && this.isOfRecord(key, signature) ? `${this.linkTo(key)}${fragment}` : link;
  }

  /** Returns true if values of a schema may contain links to files; cached, because every reply needs it. */
  private mayContainFiles(schema: TSchema): boolean {
    const cached = this.containsFiles.get(schema);
    if (cached !== undefined) return cached;
    const { properties = {}, items } = schema as LinkedSchema;
    const found = holdsFiles(schema) || [...Object.values(properties), ...(items ? [items] : [])].some((one) => this.mayContainFiles(one));
    this.containsFiles.set(schema, found);
    return found;
  }

  private isOfRecord(key: string, signature: string): boolean {
    return this.signatures.matches(key, storedLinkExpiry, signature);
  }

  private async isOwn(key: string): Promise<boolean> {
    const userId = currentActor()?.userId;
    if (!userId) return false;
    const own = await queryRows(
      this.db,
      sql`select 1 from stored_file where key = ${key} and owner_id = ${userId} and (expires_at is null or expires_at > now())`,
    );
    return own.length > 0;
  }
}

const isTree = (schema: TSchema) => (schema as LinkedSchema).items?.$ref !== undefined;
