import { defineServerPlugin, repositoryOf } from '#server';
import { Registration, registration, registrationChoices } from '../contract.ts';
import { registerGuest } from '../guest-contract.ts';
import { registrationMenu } from '../menus.ts';
import { depts, grantableRoles } from './choices.ts';
import { approve, refuse } from './decisions.ts';
import { RegistrationService } from './registration-service.ts';

/** Registration: requests for an account, by visitors and by holders of external identities, and the decisions about them. */
export default defineServerPlugin({
  id: 'registration',
  title: ['注册审核', 'Registration'],
  menus: [registrationMenu],

  routes({ serve, signIn, ...services }) {
    const { db } = services;
    const registrations = repositoryOf(db, Registration);
    const service = new RegistrationService({ ...services, signIn });

    signIn.register({ id: 'guests', offered: () => service.isOpenToGuests() });
    signIn.register({
      id: 'register',
      offered: () => service.isOpenToEverybody(),
      grants: { register: ({ input, origin }) => service.open(input, origin) },
    });
    signIn.serve(registerGuest, ({ input, principal, origin }) => service.guest(input, principal.guest, origin));
    serve(registration.list, ({ input }) => registrations.page(input));
    serve(registration.detail, ({ input }) => registrations.detail(input.id));
    serve(registration.approve, async (request) => {
      await approve(db, request);
      return registrations.detail(request.input.id);
    });
    serve(registration.refuse, async (request) => {
      await refuse(db, signIn.identities, request);
      return registrations.detail(request.input.id);
    });
    serve(registrationChoices.roles, ({ principal }) => grantableRoles(db, principal));
    serve(registrationChoices.depts, () => depts(db));
  },
});
