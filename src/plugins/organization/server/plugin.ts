import { crudRoutes, defineServerPlugin, nodesOf, provide, route, withVisibleLabels } from '#server';
import { Dept, dept, post } from '../contract.ts';
import { deptMenu, postMenu, userMenu } from '../menus.ts';
import { deletedUserDays } from '../parameter-contract.ts';
import { UserEvents } from '../server-extension.ts';
import { userCreated, userDisabled, userEnabled } from '../webhook-contract.ts';
import { departmentOptions, departmentsOf, isOtherTenant } from './departments.ts';
import { personalData } from './personal-data.ts';
import { postsOf } from './posts.ts';
import { colleaguesStep } from './setup-step.ts';
import { userRoutes } from './user-calls.ts';

/** Organization: departments, positions and users. */
export default defineServerPlugin({
  id: 'organization',
  title: ['组织管理', 'Organization'],
  optionalDependencies: ['access'],
  parameters: [deletedUserDays],
  personalData,
  menus: [userMenu, deptMenu, postMenu],
  webhookEvents: [userCreated, userEnabled, userDisabled],
  setup(context) {
    const { db, webhooks } = context;
    const departments = departmentsOf(db);
    const posts = postsOf(db);
    return {
      services: [provide(UserEvents, { created: (id) => webhooks.send(userCreated, [{ id }]) })],
      routes: [
        ...userRoutes(context),
        crudRoutes(dept, departments, {
          pathPrefixes: ['/api/blade-system/dept', '/api/things-system/dept'],
          search: { fields: ['deptName', 'fullName'], subtitle: ['fullName'], actions: { dept_edit: true } },
        }),
        route(
          dept.tree,
          async ({ input, principal }) =>
            isOtherTenant(input, principal) ? [] : nodesOf(withVisibleLabels(Dept, await departments.list(), 'deptName'), 'deptName'),
          { aliases: ['/api/blade-system/dept/tree'] },
        ),
        route(dept.lazyTree, async ({ input: { parentId = '0' } }) =>
          withVisibleLabels(Dept, await departments.level({ parentId }), 'deptName').map(({ id, deptName, hasChildren, ...row }) => ({
            id,
            parentId: row.parentId,
            title: deptName,
            value: id,
            key: id,
            hasChildren,
          })),
        ),
        route(dept.select, ({ input }) => departmentOptions(departments, input)),
        crudRoutes(post, posts, { search: { fields: ['postName', 'postCode'], subtitle: ['postCode'], actions: { post_edit: true } } }),
        route(post.select, ({ input, principal }) => (isOtherTenant(input, principal) ? [] : posts.list())),
      ],
      figures: [colleaguesStep(context)],
    };
  },
});
