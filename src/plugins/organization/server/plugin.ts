import { defineServerPlugin, namedAsSeen, nodesOf } from '#server';
import { Dept, dept, post } from '../contract.ts';
import { deptMenu, postMenu, userMenu } from '../menus.ts';
import { departmentOptions, departmentsOf } from './departments.ts';
import { postsOf } from './posts.ts';
import { colleaguesStep } from './setup-step.ts';
import { serveUsers } from './user-calls.ts';

/** Organization: departments, posts and users. */
export default defineServerPlugin({
  id: 'organization',
  title: ['组织管理', 'Organization'],
  menus: [userMenu, deptMenu, postMenu],

  routes(context) {
    const { serve, serveCrud, db } = context;
    serveUsers(context);
    context.figures.register(colleaguesStep(context));

    const departments = departmentsOf(db);
    const posts = postsOf(db);

    serveCrud(dept, departments, { also: ['/api/blade-system/dept', '/api/things-system/dept'] });
    serve(
      dept.tree,
      async ({ input, principal }) => (isForeign(input, principal) ? [] : nodesOf(namedAsSeen(Dept, await departments.list(), 'deptName'), 'deptName')),
      {
        aliases: ['/api/blade-system/dept/tree'],
      },
    );
    serve(dept.lazyTree, async ({ input: { parentId = '0' } }) =>
      namedAsSeen(Dept, await departments.level({ parentId }), 'deptName').map(({ id, deptName, hasChildren, ...row }) => ({
        id,
        parentId: row.parentId,
        title: deptName,
        value: id,
        key: id,
        hasChildren,
      })),
    );
    serve(dept.select, ({ input }) => departmentOptions(departments, input));

    serveCrud(post, posts);
    serve(post.select, ({ input, principal }) => (isForeign(input, principal) ? [] : posts.list()));
  },
});

/** Tells whether another tenant is requested, for which the result is empty. */
const isForeign = ({ tenantId }: { readonly tenantId?: string }, principal: { readonly tenantId: string }) =>
  tenantId !== undefined && tenantId !== '' && tenantId !== principal.tenantId;
