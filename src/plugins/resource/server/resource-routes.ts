import { sql } from 'drizzle-orm';
import { ApiError, namedAsSeen, nodesOf, type PluginRoute, problems, route, tableOf } from '#server';
import type { ListInput } from '#shared/contract';
import { DepartResource, kinds, resource, standings } from '../contract.ts';
import type { Resources } from './resources.ts';

const { status, type, userId } = tableOf(DepartResource);
const isListed = sql`(${type} = ${kinds.folder} or ${status} = ${standings.approved})`;

/** Limits a list to one level: `pid` matches exactly this folder. */
const ofLevel = ({ pid, ...input }: ListInput): ListInput => (pid === undefined ? input : { ...input, pid_equal: pid });

/** Serves the calls of department members. */
export function resourceRoutes(resources: Resources): PluginRoute[] {
  const { rows } = resources;

  return [
    route(resource.list, ({ input }) => rows.page(ofLevel(input), isListed)),
    route(resource.mine, ({ input, principal }) => rows.page(ofLevel(input), sql`${userId} = ${principal.userId}`)),
    route(resource.numbers, ({ input }) => resources.numbers(input.pid)),
    route(resource.folders, async () => nodesOf(namedAsSeen(DepartResource, await rows.list(sql`${type} = ${kinds.folder}`), 'name'), 'name')),
    route(resource.submitFolder, ({ input }) => resources.save({ ...input, type: kinds.folder })),
    route(resource.submitFile, ({ input }) => resources.save({ ...input, type: kinds.file })),
    route(resource.submit, ({ input }) => resources.save(input)),
    route(resource.rename, async ({ input }) => {
      await resources.save(input);
    }),
    route(resource.move, ({ input }) => resources.move(input.ids, input.pid)),
    route(resource.removeOne, async ({ input: { id, ids = [] } }) => {
      const wanted = id === undefined ? ids : [id, ...ids];
      if (wanted.length === 0) throw new ApiError(problems.missingParameter, { name: 'id' });
      await rows.remove(wanted);
    }),
  ];
}
