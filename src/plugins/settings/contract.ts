export * from './client-contract.ts';
export * from './param-contract.ts';
export * from './setting-contract.ts';
