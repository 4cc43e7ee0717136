import { definePlugin, page } from '#kernel';
import { registrationMenu } from '../menus.ts';

/** Registration: requests for an account and the decisions about them. */
export default definePlugin({
  id: 'registration',
  title: ['注册审核', 'Registration'],
  pages: [page(registrationMenu, () => import('./RegistrationPage.tsx'))],
});
