"""What servers of language models run, for random graphs (random_graphs.py): attention of one query per user, over
whole keys and over the pages of a cache, and what writes into pages; and the ops that are rarer than those of
random_rare.py.
"""
from ttir_graph import i32_array, i32_list


class ServingOps:
    """Methods of a Writer, one per kind of op."""

    # --- attention of one query per user ---------------------------------------------------------------------------

    def numbers_of_users(self):
        users, keys = self.draw.choice((1, 2, 8)), self.draw.choice((1, 2, 4))
        return users, keys, keys * self.draw.choice((1, 2, 3)), self.draw.choice((32, 64, 96))

    def query(self, shape):
        """An argument, or what was made of one."""
        x = self.argument(shape, "bf16")
        return x if self.draw.random() < 0.5 else self.emit("neg", [x], [shape])

    def integers_of(self, shape):
        return self.argument(shape, self.draw.choice(("si32", "si32", "ui32")), "input")

    def add_decode(self):
        users, keys, heads, width = self.numbers_of_users()
        rows = self.draw.choice((32, 64, 100))
        shape = (1, users, heads, width)
        cache = [self.argument((users, keys, rows, width), "bf16", "kv_cache") for _ in range(2)]
        operands, segments = [self.query(shape), *cache], [1, 1, 1, 0, 0, 0]
        if self.draw.random() < 0.6:
            operands.append(self.integers_of((users,)))
            segments[4] = 1
        elif self.draw.random() < 0.5:
            operands.append(self.argument((users, 1, heads, rows), "bf16"))
            segments[3] = 1
        self.emit("scaled_dot_product_attention_decode", operands, [shape],
                  f"is_causal = {str(segments[4] == 1).lower()}, operandSegmentSizes = {i32_array(segments)}")

    def pages(self, users, keys, width):
        """A cache of pages and the table that says which are whose."""
        cache = self.argument((self.draw.choice((4, 16)), keys, 32, width), "bf16", "kv_cache")
        return cache, self.integers_of((users, self.draw.choice((1, 3))))

    def add_paged_decode(self):
        users, keys, heads, width = self.numbers_of_users()
        shape = (1, users, heads, width)
        cache, table = self.pages(users, keys, width)
        other = self.argument(self.of(cache).shape, "bf16", "kv_cache")
        window = ", sliding_window_size = 16 : ui32" if self.draw.random() < 0.3 else ""
        self.emit("paged_scaled_dot_product_attention_decode",
                  [self.query(shape), cache, other, table, self.integers_of((users,))], [shape],
                  f"is_causal = true, operandSegmentSizes = {i32_array([1, 1, 1, 1, 0, 0, 1, 0])}" + window)

    def add_paged_latent(self):
        users, _, heads, width = self.numbers_of_users()
        cache, table = self.pages(users, 1, width)
        values = self.draw.choice((32, width))
        self.emit("paged_flash_multi_latent_attention_decode",
                  [self.query((1, users, heads, width)), cache, table, self.integers_of((users,))],
                  [(1, users, heads, values)],
                  f"head_dim_v = {values} : ui32, is_causal = true, "
                  f"operandSegmentSizes = {i32_array([1, 1, 0, 1, 0, 1, 0])}")

    def add_chunked(self):
        users, keys, heads, width = self.numbers_of_users()
        shape = (users, heads, self.draw.choice((32, 64)), width)
        cache, table = self.pages(users, keys, width)
        other = self.argument(self.of(cache).shape, "bf16", "kv_cache")
        self.emit("chunked_scaled_dot_product_attention",
                  [self.query(shape), cache, other, table, self.integers_of((1,))], [shape])

    def add_paged_cache(self):
        users, keys, _, width = self.numbers_of_users()
        cache, table = self.pages(users, keys, width)
        if self.draw.random() < 0.5:
            new = self.query((1, users, keys, width))
            self.emit("paged_update_cache", [cache, new, self.integers_of((users,)), table], [], "share_cache = false")
        else:
            each = self.of(table).shape[1] * 32
            new = self.query((1, keys, self.draw.choice((7, 32, each)), width))
            more = [self.integers_of((1,))] if self.draw.random() < 0.5 else []
            self.emit("paged_fill_cache", [cache, new, table, *more], [])
        if self.draw.random() < 0.6:
            self.emit("relu", [cache], [self.of(cache).shape])

    # --- windows over one dim and over volumes ---------------------------------------------------------------------

    def add_convolution_of_rows(self):
        batch, length, channels = self.draw.choice((1, 2)), self.draw.choice((16, 50, 128)), self.draw.choice((8, 32))
        groups = self.draw.choice((1, 1, channels))
        out, k = self.draw.choice((32, 64)), self.draw.choice((1, 3, 4))
        low, high, stride = self.draw.choice((0, 1)), self.draw.choice((0, 1)), self.draw.choice((1, 2))
        x = self.argument((batch, length, channels), "bf16")
        weight = self.argument((out, channels // groups, k), "bf16", "parameter")
        self.emit("conv1d", [x, weight], [(batch, (length + low + high - k) // stride + 1, out)],
                  f"batch_dim = 0 : i64, channel_dim = 2 : i64, dilation = 1 : i32, groups = {groups} : i32, "
                  f"length_dim = 1 : i64, padding = {i32_array([low, high])}, stride = {stride} : i32")

    def add_convolution_of_volumes(self):
        sides = [self.draw.choice((4, 6, 8)) for _ in range(3)]
        channels, out = self.draw.choice((8, 32)), self.draw.choice((16, 32))
        kernel = [self.draw.choice((1, 3)) for _ in sides]
        pads, strides = [self.draw.choice((0, 1)) for _ in sides], [self.draw.choice((1, 1, 2)) for _ in sides]
        x = self.argument((1, *sides, channels), "bf16")
        operands = [x, self.argument((out, channels, *kernel), "bf16", "parameter")]
        if self.draw.random() < 0.4:
            operands.append(self.argument((1, 1, 1, 1, out), "bf16", "parameter"))
        places = [(side + 2 * p - k) // s + 1 for side, p, k, s in zip(sides, pads, kernel, strides)]
        self.emit("conv3d", operands, [(1, *places, out)],
                  f"groups = 1 : i32, padding = {i32_array(pads)}, stride = {i32_array(strides)}")

    def add_pool_with_places(self):
        a = self.image()
        n, h, w, c = self.of(a).shape
        k = self.draw.choice((2, 3))
        shape = (n, (h - k) // 2 + 1, (w - k) // 2 + 1, c)
        self.emit("max_pool2d_with_indices", [a], [shape] * 2,
                  f"ceil_mode = false, dilation = {i32_array([1, 1])}, kernel = {i32_array([k] * 2)}, "
                  f"padding = {i32_array([0] * 4)}, stride = {i32_array([2, 2])}", [self.of(a).dtype, "si32"])

    # --- moves -----------------------------------------------------------------------------------------------------

    def add_part_of_a_dim(self):
        a = self.pick()
        shape = list(self.of(a).shape)
        dim = self.draw.randrange(len(shape))
        begin = self.draw.randrange(shape[dim])
        end, step = self.draw.randint(begin + 1, shape[dim]), self.draw.choice((1, 1, 2, 3))
        shape[dim] = -(-(end - begin) // step)
        self.emit("index", [a], [shape],
                  f"begin = {begin} : i32, dim = {dim} : i32, end = {end} : i32, step = {step} : i32")

    def add_selected_places(self):
        a = self.pick()
        shape = list(self.of(a).shape)
        dim = self.draw.randrange(len(shape))
        stride = self.draw.choice([d for d in range(1, min(shape[dim], 8) + 1) if shape[dim] % d == 0])
        length = self.draw.randint(1, stride)
        shape[dim] = shape[dim] // stride * length
        self.emit("index_select", [a], [shape],
                  f"begin = 0 : si32, dim = {dim} : si32, length = {length} : si32, stride = {stride} : si32")

    def add_shift(self):
        a = self.integers()
        shape = self.of(a).shape
        by = self.emit("full", [], [shape], f"fill_value = {self.draw.choice((0, 1, 5))} : i32, "
                                            f"shape = {i32_array(shape)}", dtypes=[self.of(a).dtype])
        self.emit(self.draw.choice(("logical_left_shift", "logical_right_shift")), [a, by], [shape])

    def add_size_of_a_dim(self):
        a = self.pick()
        dim = self.draw.randrange(len(self.of(a).shape))
        self.emit("get_dimension_size", [a], [(1,)], f"dimension = {dim} : i32", ["si32"])

    def add_slice_at_places(self):
        a = self.pick()
        shape = self.of(a).shape
        sizes = [self.draw.randint(1, d) for d in shape]
        begins, ends = (self.argument((len(shape),), "si32", "input") for _ in range(2))
        self.emit("slice_dynamic", [a, begins, ends], [sizes], f"step = {i32_list([1] * len(shape))}")

    def add_same_bits(self):
        a = self.pick()
        if self.of(a).dtype == "f32":
            whole = self.emit("bitcast_convert", [a], [self.of(a).shape], dtypes=["ui32"])
            self.emit("bitcast_convert", [whole], [self.of(a).shape], dtypes=["f32"])

    # --- what comes back through activations -----------------------------------------------------------------------

    def add_backward(self):
        a = self.pick()
        kind = self.draw.choice(("gelu_bw", "silu_bw"))
        attrs = f'approximate = "{self.draw.choice(("none", "tanh"))}"' if kind == "gelu_bw" else ""
        self.emit(kind, [a, self.alike(a)], [self.of(a).shape], attrs)

    # --- chips -----------------------------------------------------------------------------------------------------

    def add_further_collective(self):
        a = self.pick()
        shape = list(self.of(a).shape)
        pairs = "dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>"
        groups = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
        kind = self.draw.choice(("collective_permute", "collective_broadcast", "mesh_partition", "all_to_all"))
        dim = self.draw.randrange(len(shape))
        if kind == "collective_permute":
            self.emit(kind, [a], [shape], f"source_target_pairs = {pairs}")
        elif kind == "collective_broadcast":
            self.emit(kind, [a], [shape], groups)
        elif kind == "all_to_all":
            other = self.draw.randrange(len(shape))
            if shape[dim] % 2 == 0 and other != dim:
                shape[dim], shape[other] = shape[dim] // 2, shape[other] * 2
                self.emit(kind, [a], [shape], f"{groups}, concat_dim = {other} : si32, split_count = 2 : si32, "
                                              f"split_dim = {dim} : si32")
        elif shape[dim] % 2 == 0:
            shape[dim] //= 2
            self.emit(kind, [a], [shape], f"cluster_axis = 1 : ui32, dim = {dim} : si32")
