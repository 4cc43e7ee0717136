import { defineServerPlugin, repositoryOf } from '#server';
import { Registration, registration, registrationChoices, SmsOutboxMessage, SocialApp, smsOutbox, socialApp } from '../contract.ts';
import { registrationMenu, smsOutboxMenu, socialAppMenu } from '../menus.ts';
import { depts, grantableRoles } from './choices.ts';
import { approve, refuse } from './decisions.ts';

/** Sign-in: identity providers, registration requests, and text messages that were stored instead of sent. */
export default defineServerPlugin({
  id: 'sign-in',
  title: ['登录管理', 'Sign-in'],
  menus: [socialAppMenu, registrationMenu, smsOutboxMenu],

  routes({ serve, serveCrud, db }) {
    const registrations = repositoryOf(db, Registration);
    const outbox = repositoryOf(db, SmsOutboxMessage);

    serveCrud(socialApp, repositoryOf(db, SocialApp, { unique: [{ fields: ['source'] }] }));
    serve(registration.list, ({ input }) => registrations.page(input));
    serve(registration.detail, ({ input }) => registrations.detail(input.id));
    serve(registration.approve, async (request) => {
      await approve(db, request);
      return registrations.detail(request.input.id);
    });
    serve(registration.refuse, async (request) => {
      await refuse(db, request);
      return registrations.detail(request.input.id);
    });
    serve(registrationChoices.roles, ({ principal }) => grantableRoles(db, principal));
    serve(registrationChoices.depts, () => depts(db));
    serve(smsOutbox.list, ({ input }) => outbox.page(input));
  },
});
