import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import {
  ApiError,
  currentActor,
  hasId,
  idArray,
  isActive,
  literals,
  nodesOf,
  type PluginRoute,
  problems,
  queryRows,
  repositoryOf,
  route,
  type SearchSource,
  type ServerContext,
  searchSource,
  type TreeRepository,
  tableOf,
  treeRepositoryOf,
  withVisibleLabels,
} from '#server';
import type { ListInput } from '#shared/contract';
import { auditStates, DepartResource, material, type ResourceForm, type ResourceRow, resource, resourceProblems, resourceTypes } from '../contract.ts';
import { departmentResourceMenu } from '../menus.ts';

const typeLiteral = literals(resourceTypes);
const table = tableOf(DepartResource);
const administratorRoles = ['administrator', 'admin'];

/** Condition for resources of the caller's departments and the caller's own uploads; administrators see all. */
export const inOwnDepartments = (): SQL => {
  const actor = currentActor();
  if (!actor || actor.roles?.some((role) => administratorRoles.includes(role))) return sql`true`;
  return sql`(${table.userId} = ${actor.userId} or is_of_departments(${table.departId}, ${`{${(actor.deptIds ?? []).join(',')}}`}::bigint[]))`;
};

type ResourceInput = ResourceForm & { readonly parentId?: string };

/** Repository of folders and files. */
export class Resources {
  readonly rows: TreeRepository<typeof DepartResource, ResourceInput>;

  constructor(private readonly context: Pick<ServerContext, 'db' | 'files'>) {
    this.rows = treeRepositoryOf<typeof DepartResource, ResourceInput>(context.db, DepartResource, {
      where: inOwnDepartments,
      noParent: resourceProblems.folderNotFound,
      hasChildren: resourceProblems.notEmpty,
      complete: (form, { before, parent }) => this.complete(form, before, parent),
    });
  }

  /** Adds or changes a resource; omitted fields stay unchanged. */
  async save({ pid, ...form }: ResourceForm): Promise<ResourceRow> {
    return this.rows.save((pid === undefined ? form : { ...form, parentId: pid }) as ResourceInput);
  }

  /** Moves all of the resources into a folder, or none. */
  async move(ids: readonly string[], pid: string): Promise<void> {
    for (const id of new Set(ids)) await this.save({ id, pid });
  }

  async counts(pid?: string): Promise<{ folders: number; files: number; total: number }> {
    const [count] = await queryRows<{ folders: number; files: number; total: number }>(
      this.context.db,
      sql`select count(*) filter (where type = ${typeLiteral.folder})::integer as folders, count(*) filter (where type = ${typeLiteral.file})::integer as files, count(*)::integer as total
          from ${table} where is_deleted = 0 and (type = ${typeLiteral.folder} or status = ${literals(auditStates).approved}) and ${inOwnDepartments()} and ${pid === undefined ? sql`true` : sql`parent_id = ${pid}`}`,
    );
    return count ?? { folders: 0, files: 0, total: 0 };
  }

  /** The type of a resource cannot change, and moving it does not change its owner. */
  private async complete(form: ResourceInput, before: ResourceRow | undefined, parent: ResourceRow | undefined): Promise<object> {
    const type = before?.type ?? form.type ?? (form.url ? resourceTypes.file : resourceTypes.folder);
    if (parent && parent.type !== resourceTypes.folder) throw new ApiError(resourceProblems.notAFolder, {}, { field: 'pid' });
    const departId = parent ? parent.departId : (before?.departId ?? currentActor()?.deptId ?? null);
    if (before && parent && before.departId !== parent.departId) throw new ApiError(resourceProblems.otherDepartment);
    const { reason: _, ...fields } = form as ResourceInput & { reason?: unknown };
    if (type === resourceTypes.file) return { ...fields, type, ...(await this.fileOf(form, before)) };
    const name = form.name ?? before?.name;
    if (!name) throw new ApiError(problems.missingParameter, { name: 'name' }, { field: 'name' });
    await this.assertUniqueName({ id: before?.id ?? '0', name, parentId: parent?.id ?? '0', departId });
    return { ...fields, type, url: null };
  }

  private async fileOf({ url, name }: ResourceInput, before: ResourceRow | undefined): Promise<{ name?: string }> {
    if (!url && before) return {};
    const key = /[?&]key=([0-9a-f]{32})\b/.exec(url ?? '')?.[1];
    const [file] = key ? await queryRows<{ name: string }>(this.context.db, sql`select name from stored_file where key = ${key} and stage = 'kept'`) : [];
    if (!file) throw new ApiError(resourceProblems.fileMissing, {}, { field: 'url' });
    return name || before ? {} : { name: file.name.slice(0, 128) };
  }

  private async assertUniqueName({ id, name, parentId, departId }: { id: string; name: string; parentId: string; departId: string | null }): Promise<void> {
    const isFolder = and(eq(table.type, typeLiteral.folder), isActive(table), eq(table.parentId, parentId), eq(table.name, name), ne(table.id, id));
    const isSibling = and(isFolder, sql`coalesce(${table.departId}, 0) = coalesce(${departId}::bigint, 0)`);
    const duplicates = await this.context.db.sql.select({ id: table.id }).from(table).where(isSibling);
    if (duplicates.length > 0) throw new ApiError(resourceProblems.nameTaken, {}, { field: 'name' });
  }
}

const isListed = sql`(${table.type} = ${resourceTypes.folder} or ${table.status} = ${auditStates.approved})`;
const isApprovedFile = and(eq(table.type, resourceTypes.file), eq(table.status, auditStates.approved));

/** Limits a list to one level: `pid` matches exactly this folder. */
const onOneLevel = ({ pid, ...input }: ListInput): ListInput => (pid === undefined ? input : { ...input, pid_equal: pid });

/** Folders and approved files of the caller's departments, found by their name. */
export const approvedResources = ({ rows }: Resources): SearchSource =>
  searchSource({
    entity: DepartResource,
    menu: departmentResourceMenu.code,
    list: resource.list,
    repository: rows,
    fields: ['name', 'userName'],
    subtitle: ['userName', 'ext'],
    where: () => isListed,
  });

/** Serves the calls of department members, and approved files to users who create or work on tasks. */
export function resourceRoutes({ db }: Pick<ServerContext, 'db'>, resources: Resources): PluginRoute[] {
  const { rows } = resources;
  const materials = repositoryOf(db, material.entity);

  return [
    route(resource.list, ({ input }) => rows.page(onOneLevel(input), isListed)),
    route(resource.mine, ({ input, principal }) => rows.page(onOneLevel(input), eq(table.userId, principal.userId))),
    route(resource.counts, ({ input }) => resources.counts(input.pid)),
    route(resource.folders, async () => nodesOf(withVisibleLabels(DepartResource, await rows.list(eq(table.type, resourceTypes.folder)), 'name'), 'name')),
    route(resource.submitFolder, ({ input }) => resources.save({ ...input, type: resourceTypes.folder })),
    route(resource.submitFile, ({ input }) => resources.save({ ...input, type: resourceTypes.file })),
    route(resource.submit, ({ input }) => resources.save(input)),
    route(resource.rename, async ({ input }) => {
      await resources.save(input);
    }),
    route(resource.move, ({ input }) => resources.move(input.ids, input.pid)),
    route(resource.removeOne, async ({ input: { id, ids = [] } }) => {
      const removedIds = id === undefined ? ids : [id, ...ids];
      if (removedIds.length === 0) throw new ApiError(problems.missingParameter, { name: 'id' });
      await rows.remove(removedIds);
    }),
    route(material.pick, ({ input }) => materials.page(input, isApprovedFile)),
    route(material.find, ({ input: { ids = [] } }) => {
      const { id, name, url, cover, ext, mime, size } = table;
      return db.sql
        .select({ id, name, url, cover, ext, mime, size })
        .from(table)
        .where(and(hasId(table, ids), isApprovedFile, isActive(table)))
        .orderBy(sql`array_position(${idArray(ids)}, ${id})`);
    }),
  ];
}
