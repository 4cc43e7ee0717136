import { defineServerPlugin } from '#server';
import { drivers, ownDatabase } from '../contract.ts';
import { datasourceMenu } from '../menus.ts';
import { Datasources } from './datasources.ts';

/** The code generator: databases that are described elsewhere become plugins of this system. */
export default defineServerPlugin({
  id: 'codegen',
  title: ['代码生成', 'Code generator'],
  menus: [datasourceMenu],

  async seed(context) {
    await new Datasources(context).rows.save({ name: ownDatabase[0], driverClass: drivers.embedded, useTls: false });
  },

  routes(context) {
    new Datasources(context).serve();
  },
});
