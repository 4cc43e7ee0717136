import { and, sql } from 'drizzle-orm';
import { defineServerPlugin, nodesOf, problems, Refusal, repositoryOf, rowsOf, tableOf } from '#server';
import { DepartResource, type FoundResource, kinds, material, resource, resourceAudit, standings } from '../contract.ts';
import { departMenu, resourceAuditMenu } from '../menus.ts';
import { decide } from './audit.ts';
import { idArray, Resources } from './resources.ts';

const { status, type, userId } = tableOf(DepartResource);
const inPlace = sql`(${type} = ${kinds.folder} or ${status} = ${standings.approved})`;
const approved = sql`${type} = ${kinds.file} and ${status} = ${standings.approved}`;

/** Department resources: folders and files that departments keep for their tasks, and who has found them fit. */
export default defineServerPlugin({
  id: 'resource',
  title: ['部门资源', 'Department resources'],
  needs: ['organization'],
  menus: [departMenu, resourceAuditMenu],

  routes(context) {
    const { serve, db } = context;
    const resources = new Resources(context);
    const { rows } = resources;
    const materials = repositoryOf(db, material.entity);
    const done = async (work: Promise<unknown>) => {
      await work;
      return null;
    };

    serve(resource.list, ({ input: { pid, ...input } }) => rows.page(pid === undefined ? input : { ...input, pid_equal: pid }, inPlace));
    serve(resource.mine, ({ input: { pid, ...input }, principal }) =>
      rows.page(pid === undefined ? input : { ...input, pid_equal: pid }, sql`${userId} = ${principal.userId}`),
    );
    serve(resource.numbers, ({ input }) => resources.numbers(input.pid));
    serve(resource.folders, async () => nodesOf(await rows.list(sql`${type} = ${kinds.folder}`), 'name'));
    serve(resource.submitFolder, ({ input }) => resources.save({ ...input, type: kinds.folder }));
    serve(resource.submitFile, ({ input }) => resources.save({ ...input, type: kinds.file }));
    serve(resource.submit, ({ input }) => resources.save(input));
    serve(resource.rename, ({ input }) => done(resources.save(input)));
    serve(resource.move, ({ input }) => done(resources.move(input.ids, input.pid)));
    serve(resource.removeOne, ({ input: { id, ids = [] } }) => {
      const wanted = id === undefined ? ids : [id, ...ids];
      if (wanted.length === 0) throw new Refusal(problems.missingParameter, { name: 'id' });
      return done(rows.remove(wanted));
    });

    serve(resourceAudit.list, ({ input }) => {
      const asked = Object.keys(input).some((name) => name.startsWith('status'));
      return rows.page(input, and(sql`${type} = ${kinds.file}`, asked ? undefined : sql`${status} = ${standings.waiting}`));
    });
    serve(resourceAudit.decide, ({ input: { id, ...decision }, principal }) => done(decide(db, principal, { ids: [id], ...decision })));
    serve(resourceAudit.approve, ({ input, principal }) => done(decide(db, principal, { ...input, status: standings.approved })));
    serve(resourceAudit.reject, ({ input: { id, reason }, principal }) =>
      done(decide(db, principal, { ids: [id], status: standings.rejected, reason: reason ?? null })),
    );

    serve(material.pick, ({ input }) => materials.page(input, approved));
    serve(material.find, ({ input: { ids = [] } }) =>
      rowsOf<FoundResource>(
        db,
        sql`select id::text as id, name, url, cover, ext, mime, size::float8 as size from depart_resource r
            where id = any(${idArray(ids)}) and type = ${kinds.file} and status = ${standings.approved} and is_deleted = 0
            order by array_position(${idArray(ids)}, r.id)`,
      ),
    );
  },
});
