export { platformTenant, tenantRole } from './identity.ts';
