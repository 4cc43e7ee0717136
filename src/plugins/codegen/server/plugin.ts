import { defineServerPlugin } from '#server';
import { drivers, ownDatabase } from '../contract.ts';
import { datasourceMenu, modelMenu } from '../menus.ts';
import { Datasources } from './datasources.ts';
import { Models } from './models.ts';

/** The code generator: databases that are described elsewhere become plugins of this system. */
export default defineServerPlugin({
  id: 'codegen',
  title: ['代码生成', 'Code generator'],
  menus: [modelMenu, datasourceMenu],

  async seed(context) {
    await new Datasources(context).rows.save({ name: ownDatabase[0], driverClass: drivers.embedded, useTls: false });
  },

  routes(context) {
    const datasources = new Datasources(context);
    datasources.serve();
    new Models(context, datasources).serve();
  },
});
