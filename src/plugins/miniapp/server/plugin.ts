import { defineServerPlugin } from '#server';
import { banner, miniappParameters, miniappSetting } from '../contract.ts';
import { bannerMenu, miniappSettingMenu } from '../menus.ts';
import { Banners } from './banners.ts';
import { MiniappSettings } from './settings.ts';

/** Mini-app: its banners, appearance and limits. */
export default defineServerPlugin({
  id: 'miniapp',
  title: ['小程序', 'Mini-app'],
  parameterDeclarations: miniappParameters,
  menus: [bannerMenu, miniappSettingMenu],

  routes(context) {
    const { serve, serveCrud } = context;
    const banners = new Banners(context.db);
    serveCrud(banner, banners.rows);
    serve(banner.list, ({ input }) => banners.page(input));
    serve(banner.showing, () => banners.showing());
    serve(banner.order, ({ input }) => banners.order(input));

    const settings = new MiniappSettings(context);
    serve(miniappSetting.read, ({ language }) => settings.read(language));
    serve(miniappSetting.showing, ({ language }) => settings.read(language));
    serve(miniappSetting.submit, ({ input }) => settings.save(input));
  },
});
