export * from './code-contract.ts';
export * from './datasource-contract.ts';
export * from './model-contract.ts';
