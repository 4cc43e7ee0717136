import { and, eq, sql } from 'drizzle-orm';
import {
  ApiError,
  hasId,
  idArray,
  nodesOf,
  notDeleted,
  type PluginRoute,
  problems,
  repositoryOf,
  route,
  type SearchSource,
  type ServerContext,
  searchSource,
  tableOf,
  withVisibleLabels,
} from '#server';
import type { ListInput } from '#shared/contract';
import { auditStates, DepartResource, material, resource, resourceTypes } from '../contract.ts';
import { departMenu } from '../menus.ts';
import type { Resources } from './resources.ts';

const resourceTable = tableOf(DepartResource);
const { id, name, url, cover, ext, mime, size, status, type, userId } = resourceTable;
const isListed = sql`(${type} = ${resourceTypes.folder} or ${status} = ${auditStates.approved})`;

/** Limits a list to one level: `pid` matches exactly this folder. */
const onOneLevel = ({ pid, ...input }: ListInput): ListInput => (pid === undefined ? input : { ...input, pid_equal: pid });

/** Folders and approved files of the caller's departments, found by their name. */
export const approvedResources = ({ rows }: Resources): SearchSource =>
  searchSource({
    entity: DepartResource,
    menu: departMenu.code,
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
    route(resource.mine, ({ input, principal }) => rows.page(onOneLevel(input), sql`${userId} = ${principal.userId}`)),
    route(resource.counts, ({ input }) => resources.counts(input.pid)),
    route(resource.folders, async () => nodesOf(withVisibleLabels(DepartResource, await rows.list(sql`${type} = ${resourceTypes.folder}`), 'name'), 'name')),
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
    route(material.pick, ({ input }) => materials.page(input, sql`${type} = ${resourceTypes.file} and ${status} = ${auditStates.approved}`)),
    route(material.find, ({ input: { ids = [] } }) =>
      db.sql
        .select({ id, name, url, cover, ext, mime, size })
        .from(resourceTable)
        .where(and(hasId(resourceTable, ids), eq(type, resourceTypes.file), eq(status, auditStates.approved), notDeleted(resourceTable)))
        .orderBy(sql`array_position(${idArray(ids)}, ${id})`),
    ),
  ];
}
