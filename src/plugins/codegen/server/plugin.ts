import { existsSync } from 'node:fs';
import { defineServerPlugin, type ServerPlugin } from '#server';
import { drivers, ownDatabase } from '../contract.ts';
import { codeMenu, datasourceMenu, modelMenu } from '../menus.ts';
import { Codes } from './codes.ts';
import { Datasources, deletedTenants } from './datasources.ts';
import { Models } from './models.ts';
import { Sources } from './sources.ts';

/** Code generator: creates plugins of this system from the tables of existing databases. */
export const codegenPlugin = (sources?: Sources): ServerPlugin =>
  defineServerPlugin({
    id: 'codegen',
    title: ['代码生成', 'Code generator'],
    optionalDependencies: ['dictionary'],
    menus: [codeMenu, modelMenu, datasourceMenu],

    async seed(context) {
      await new Datasources(context).rows.save({ name: ownDatabase[0], driverClass: drivers.embedded, useTls: false });
    },

    setup(context) {
      const datasources = new Datasources(context);
      const models = new Models(context, datasources);
      const codes = new Codes(context, models, sources);
      return { routes: [...datasources.routes(), ...models.routes(), ...codes.routes()], references: [deletedTenants(context)] };
    },
  });

/** Only a development server has its sources beside it. */
const hasSources = process.env.NODE_ENV === 'development' && existsSync('src/plugins');

export default codegenPlugin(hasSources ? new Sources(process.cwd()) : undefined);
