import { PlatformModule } from '@stoa/platform';
import { Module } from '@nestjs/common';
import { AccountExportService } from './exports/account-export.service.ts';
import { AccountExporter } from './exports/account-exporter.ts';
import { AccountExportsController } from './exports/account-exports.controller.ts';
import { AccountExports } from './exports/account-exports.repository.ts';
import { Attachments } from './attachments/attachments.repository.ts';
import { AttachmentsService } from './attachments/attachments.service.ts';
import { CardRenderer } from './drawing/card-renderer.ts';
import { CardStorageClient } from './storage/card-storage.client.ts';
import { Database } from './database.ts';
import { ExportStorageClient } from './storage/export-storage.client.ts';
import { MediaConfig } from './media.config.ts';
import { MediaListener } from './attachments/media.listener.ts';
import { MediaRepository } from './uploads/media.repository.ts';
import { MediaService } from './uploads/media.service.ts';
import { MediaSweeper } from './attachments/media.sweeper.ts';
import { PictureEncoder } from './pictures/picture-encoder.ts';
import { PicturePreviewService } from './uploads/picture-preview.service.ts';
import { PreviewCardService } from './cards/preview-card.service.ts';
import { PreviewCardsController } from './cards/preview-cards.controller.ts';
import { PreviewCards } from './cards/preview-cards.repository.ts';
import { RemovalSweeper } from './attachments/removal.sweeper.ts';
import { StorageClient } from './storage/storage.client.ts';
import { UploadChecker } from './uploads/upload-checker.ts';
import { UploadRemover } from './uploads/upload-remover.ts';
import { UploadsController } from './uploads/uploads.controller.ts';
import { WithdrawalStorageClient } from './storage/withdrawal-storage.client.ts';
import { WithdrawalService } from './withdrawals/withdrawal.service.ts';
import { WithdrawalSweeper } from './withdrawals/withdrawal.sweeper.ts';
import { Withdrawals } from './withdrawals/withdrawals.repository.ts';

@Module({
  imports: [PlatformModule.forService({ announces: true })],
  controllers: [UploadsController, PreviewCardsController, AccountExportsController],
  providers: [
    MediaConfig,
    Database,
    MediaListener,
    AccountExports,
    AccountExportService,
    AccountExporter,
    Attachments,
    AttachmentsService,
    CardRenderer,
    CardStorageClient,
    ExportStorageClient,
    MediaService,
    MediaRepository,
    MediaSweeper,
    RemovalSweeper,
    PictureEncoder,
    PicturePreviewService,
    PreviewCards,
    PreviewCardService,
    StorageClient,
    UploadChecker,
    UploadRemover,
    Withdrawals,
    WithdrawalService,
    WithdrawalStorageClient,
    WithdrawalSweeper,
  ],
})
export class MediaModule {}
