export default {
  preset: '../../jest-preset.mjs',
  testEnvironment: './jest-dom.mjs',
  testEnvironmentOptions: { url: 'http://localhost:8080' },
  setupFilesAfterEnv: ['./jest-setup.ts'],
  // The bundler replaces these imports with addresses.
  moduleNameMapper: { '[.](webp|css)$': '<rootDir>/jest-picture.mjs' },
  restoreMocks: true,
};
