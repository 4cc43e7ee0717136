import { consentPage } from '#shared/consent-page';
import { menu } from '#shared/menu-entry';

/** Routes of the plugin, which are in no menu. */
export const accountRoute = menu({ code: 'account', title: ['个人信息', 'Personal information'], path: '/info/index' });
export const consentRoute = menu({ code: 'consent', title: ['授权登录', 'Authorize access'], path: consentPage });
