import { crudRoutes, defineServerPlugin, route } from '#server';
import { banner, miniappParameters, miniappSetting } from '../contract.ts';
import { bannerMenu, miniappSettingMenu } from '../menus.ts';
import { Banners } from './banners.ts';
import { MiniappSettings } from './settings.ts';

/** Mini-app: its banners, appearance and limits. */
export default defineServerPlugin({
  id: 'miniapp',
  title: ['小程序', 'Mini-app'],
  parameters: miniappParameters,
  menus: [bannerMenu, miniappSettingMenu],

  setup(context) {
    const banners = new Banners(context.db);
    const settings = new MiniappSettings(context);

    return {
      routes: [
        crudRoutes(banner, banners.rows, { search: { fields: ['title'], actions: { banner_edit: true } } }),
        route(banner.list, ({ input }) => banners.page(input)),
        route(banner.showing, () => banners.showing()),
        route(banner.order, ({ input }) => banners.order(input)),
        route(miniappSetting.read, ({ language }) => settings.read(language)),
        route(miniappSetting.showing, ({ language }) => settings.read(language)),
        route(miniappSetting.submit, ({ input }) => settings.save(input)),
      ],
    };
  },
});
