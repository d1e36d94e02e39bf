export default {
  preset: '../../jest-preset.mjs',
  testEnvironment: './jest-dom.mjs',
  testEnvironmentOptions: { url: 'http://localhost:8080' },
  setupFilesAfterEnv: ['./jest-setup.ts'],
  // The bundler makes addresses of them.
  moduleNameMapper: { '[.](webp|css)$': '<rootDir>/jest-picture.mjs' },
  restoreMocks: true,
};
