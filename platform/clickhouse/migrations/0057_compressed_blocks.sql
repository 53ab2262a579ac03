-- Blocks of 4 KiB, from 0056, made parts with large rows take more memory than the engine has.

ALTER TABLE calls {on_cluster} RESET SETTING min_compress_block_size;
