import { existsSync } from 'node:fs';
import { defineServerPlugin, type ServerPlugin } from '#server';
import { drivers, ownDatabase } from '../contract.ts';
import { codeMenu, datasourceMenu, modelMenu } from '../menus.ts';
import { Codes } from './codes.ts';
import { Datasources } from './datasources.ts';
import { Models } from './models.ts';
import { Sources } from './sources.ts';

/** The code generator: databases that are described elsewhere become plugins of this system. */
export const codegenPlugin = (sources?: Sources): ServerPlugin =>
  defineServerPlugin({
    id: 'codegen',
    title: ['代码生成', 'Code generator'],
    menus: [codeMenu, modelMenu, datasourceMenu],

    async seed(context) {
      await new Datasources(context).rows.save({ name: ownDatabase[0], driverClass: drivers.embedded, useTls: false });
    },

    routes(context) {
      const datasources = new Datasources(context);
      datasources.serve();
      const models = new Models(context, datasources);
      models.serve();
      new Codes(context, models, sources).serve();
    },
  });

/** Only a server in development has the sources it was built from beside it. */
const hasSources = process.env.NODE_ENV === 'development' && existsSync('src/plugins');

export default codegenPlugin(hasSources ? new Sources(process.cwd()) : undefined);
