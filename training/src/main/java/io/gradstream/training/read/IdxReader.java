// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.read;

import io.gradstream.training.DataFile;
import io.gradstream.training.Examples;
import io.gradstream.training.MalformedDataException;
import io.gradstream.training.form.ExampleRule;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Reads labelled images in IDX format, in which MNIST and Fashion-MNIST come (LeCun et al., "The MNIST Database").
 * <p>
 * Feature 0 is the intercept, of value 1; feature {@code 1 + i} is pixel {@code i}, row after row, of value
 * {@code pixel / 255}: from 0 to 1. Pixels that are 0 are no entries. Labels are indexes of classes. Files may be
 * compressed, as {@link DataFile} reads them.
 */
public final class IdxReader
{
    /** Most pixels of an image. */
    public static final int MAX_PIXELS = 1 << 24;

    private static final int UNSIGNED_BYTES = 0x08;
    private static final int IMAGE_DIMENSIONS = 3;
    private static final int LABEL_DIMENSIONS = 1;
    private static final float MAX_PIXEL = 255.0f;

    private IdxReader()
    {
    }

    /**
     * Read a set.
     *
     * @param images file of unsigned bytes in three dimensions: images, rows, columns.
     * @param labels file of unsigned bytes in one dimension, as many as there are images.
     * @throws MalformedDataException naming the file, if one of them is missing, not readable, of another form, cut
     *                                short, or longer than its header says, or if they do not go together.
     */
    public static Examples read(final Path images, final Path labels)
    {
        return read(images, labels, ExampleRule.numbers());
    }

    /**
     * Read a set of which labels are checked.
     *
     * @throws MalformedDataException as {@link #read(Path, Path)}, and if a label is none of the rule.
     */
    public static Examples read(final Path images, final Path labels, final ExampleRule rule)
    {
        try (DataFile imageFile = DataFile.open(images); DataFile labelFile = DataFile.open(labels))
        {
            try
            {
                return read(imageFile, labelFile, rule);
            }
            catch (final MalformedDataException ex)
            {
                throw imageFile.orDamaged(labelFile.orDamaged(ex));
            }
        }
    }

    private static Examples read(final DataFile images, final DataFile labels, final ExampleRule rule)
    {
        final int[] shape = imageShape(images);
        final int[] labelShape = header(labels, "labels", LABEL_DIMENSIONS);
        if (shape[0] != labelShape[0])
        {
            throw new MalformedDataException(labels.path() + ": holds " + labelShape[0] + " labels, but " +
                images.path() + " holds " + shape[0] + " images");
        }
        return read(images, labels, shape, rule);
    }

    /**
     * Read images without labels, which are then 0.
     *
     * @throws MalformedDataException as {@link #read(Path, Path)}.
     */
    public static Examples read(final Path images)
    {
        try (DataFile imageFile = DataFile.open(images))
        {
            try
            {
                return read(imageFile, null, imageShape(imageFile), ExampleRule.numbers());
            }
            catch (final MalformedDataException ex)
            {
                throw imageFile.orDamaged(ex);
            }
        }
    }

    private static int[] imageShape(final DataFile images)
    {
        final int[] shape = header(images, "images", IMAGE_DIMENSIONS);
        final long pixels = (long)shape[1] * shape[2];
        if (shape[1] < 1 || pixels < 1 || pixels > MAX_PIXELS)
        {
            throw new MalformedDataException(images.path() + ": images are of " + shape[1] + " x " + shape[2] +
                " pixels: must be 1.." + MAX_PIXELS + " pixels");
        }
        return shape;
    }

    /** Labels may be null. */
    private static Examples read(
        final DataFile images, final DataFile labels, final int[] shape, final ExampleRule rule)
    {
        final int count = shape[0];
        final int pixels = shape[1] * shape[2];
        final Examples.Builder examples = new Examples.Builder().featureCount(1 + pixels);
        final byte[] image = new byte[pixels];
        final byte[] label = new byte[1];
        for (int i = 0; i < count; i++)
        {
            readFully(images, image, i, count);
            if (null != labels)
            {
                readFully(labels, label, i, count);
                checkLabel(labels, i, label[0] & 0xFF, rule);
            }
            examples.entry(0, 1.0f);
            for (int pixel = 0; pixel < pixels; pixel++)
            {
                if (image[pixel] != 0)
                {
                    examples.entry(1 + pixel, (image[pixel] & 0xFF) / MAX_PIXEL);
                }
            }
            examples.endExampleOf(label[0] & 0xFF);
        }

        checkEnd(images, count);
        if (null != labels)
        {
            checkEnd(labels, count);
        }
        return examples.build();
    }

    private static void checkLabel(final DataFile labels, final int index, final int label, final ExampleRule rule)
    {
        if (!rule.isLabel(label))
        {
            throw new MalformedDataException(labels.path() + ": element " + index + ", counted from 0: " +
                rule.labelError(Integer.toString(label)));
        }
    }

    /** Two zeros, the type of the elements, the number of dimensions, and the size of each: big endian. */
    private static int[] header(final DataFile file, final String what, final int dimensions)
    {
        final byte[] magic = new byte[Integer.BYTES];
        final int length = file.readFully(magic);
        if (0 == length)
        {
            throw new MalformedDataException(file.path() + ": is empty");
        }
        if (length < magic.length || magic[0] != 0 || magic[1] != 0)
        {
            throw new MalformedDataException(file.path() + ": is not in IDX format, which begins with two zeros");
        }
        if (magic[2] != UNSIGNED_BYTES || magic[3] != dimensions)
        {
            throw new MalformedDataException(file.path() + ": holds elements of type " + (magic[2] & 0xFF) + " in " +
                (magic[3] & 0xFF) + " dimensions: " + what + " are of type " + UNSIGNED_BYTES + " in " + dimensions);
        }

        final byte[] sizes = new byte[dimensions * Integer.BYTES];
        if (file.readFully(sizes) < sizes.length)
        {
            throw new MalformedDataException(file.path() + ": ends within its header");
        }
        final int[] shape = new int[dimensions];
        ByteBuffer.wrap(sizes).asIntBuffer().get(shape);
        if (shape[0] < 1)
        {
            throw new MalformedDataException(file.path() + ": says that it holds " +
                Integer.toUnsignedString(shape[0]) + " " + what + ": must be 1.." + Integer.MAX_VALUE);
        }
        return shape;
    }

    private static void readFully(final DataFile file, final byte[] element, final int index, final int count)
    {
        if (file.readFully(element) < element.length)
        {
            throw new MalformedDataException(
                file.path() + ": ends within element " + index + " of " + count + ", counted from 0");
        }
    }

    private static void checkEnd(final DataFile file, final int count)
    {
        if (file.readFully(new byte[1]) > 0)
        {
            throw new MalformedDataException(
                file.path() + ": continues after the " + count + " elements of its header");
        }
    }
}
